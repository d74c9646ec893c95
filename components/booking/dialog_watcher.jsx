// Reports to the state when the booking dialog opens or closes. Not in Python, because only the browser knows its time zone and the tab's
// storage, and a page that unloads can only send a beacon.
import { useEffect, useEffectEvent, useRef } from "react";
import { departure } from "$/components/booking/plain_link";
import { backendUrl } from "$/components/reliable_form/backend";
import { readDraft } from "$/components/reliable_form/draft";
import { submissionOf } from "$/components/reliable_form/submission";

const browserZone = () => {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  } catch {
    return "UTC";
  }
};

const isDone = (form) => submissionOf(form).busy || submissionOf(form).view.stage === "sent";

// A beacon, because the page may be unloading.
const releaseHold = (form, href) => {
  const { hold } = readDraft(form).beside ?? {};
  if (hold) {
    navigator.sendBeacon(backendUrl(href), JSON.stringify({ hold }));
  }
};

// Calls `onOpen` and `onClose` when the dialog opens and closes; `onOpen` at once if it is open. Returns a function that ends this.
const watchDialog = (dialog, onOpen, onClose) => {
  let wasOpen = false;
  const reportChange = () => {
    if (dialog.open === wasOpen) {
      return;
    }
    wasOpen = dialog.open;
    if (wasOpen) {
      onOpen();
    } else {
      onClose();
    }
  };
  reportChange();
  const observer = new MutationObserver(reportChange);
  observer.observe(dialog, { attributeFilter: ["open"] });
  return () => observer.disconnect();
};

/** `isOpen` comes from the state; if the state has been lost, the opening is reported again. */
export const BookingDialogWatcher = ({ form, releaseHref, isOpen, language, socketDown, onOpen, onClose }) => {
  const marker = useRef(null);
  const wasOpen = useRef(isOpen);
  const dialog = () => marker.current.closest("dialog");

  const open = useEffectEvent(() => {
    if (isDone(form)) {
      return;
    }
    const { slot = "", hold = "", time_zone: zone = "" } = readDraft(form).beside ?? {};
    onOpen(language, browserZone(), zone, slot, hold);
  });
  const close = useEffectEvent(() => {
    if (isDone(form)) {
      return;
    }
    if (socketDown) {
      releaseHold(form, releaseHref);
    }
    onClose();
  });

  useEffect(() => watchDialog(dialog(), open, close), []);
  useEffect(() => {
    const releaseUnfinished = () =>
      dialog().open && !isDone(form) && !departure.isToPlainPage && releaseHold(form, releaseHref);
    return watchPage(releaseUnfinished, () => dialog().open && open());
  }, [form, releaseHref]);
  useEffect(() => {
    if (wasOpen.current && !isOpen && dialog().open) {
      open();
    }
    wasOpen.current = isOpen;
  }, [isOpen]);

  return <span ref={marker} hidden />;
};

// Calls `onLeave` when the visitor leaves the page, and `onReturn` when the browser shows it again as it was. Returns a function that ends this.
const watchPage = (onLeave, onReturn) => {
  const onPageShow = ({ persisted }) => {
    departure.isToPlainPage = false;
    if (persisted) {
      onReturn();
    }
  };
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener("pagehide", onLeave, { signal });
  addEventListener("pageshow", onPageShow, { signal });
  return () => listening.abort();
};
