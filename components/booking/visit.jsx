// Reports to the state when the booking dialog opens or closes, and offers the plain page if the state does not respond. Not in Python,
// because only the browser knows its time zone and the tab's storage, a page that unloads can only send a beacon, and the offer must work
// while the server does not respond.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { backendAddress } from "$/components/reliable_form/backend";
import { readDraft } from "$/components/reliable_form/draft";
import { submissionOf } from "$/components/reliable_form/submission";
import { isForBrowser } from "$/static_first/press";

let isHandedOver = false; // the visitor went on to the plain page, which now owns the hold

const browserZone = () => {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  } catch {
    return "UTC";
  }
};

const isDone = (form) => submissionOf(form).busy || submissionOf(form).view.stage === "sent";

// A beacon, because the page may be unloading.
const releaseHold = (form, release) => {
  const { hold } = readDraft(form).beside ?? {};
  if (hold) {
    navigator.sendBeacon(backendAddress(release), JSON.stringify({ hold }));
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
export const BookingVisit = ({ form, release, isOpen, language, socketDown, onOpen, onClose }) => {
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
      releaseHold(form, release);
    }
    onClose();
  });

  useEffect(() => watchDialog(dialog(), open, close), []);
  useEffect(() => {
    const releaseUnfinished = () => dialog().open && !isDone(form) && !isHandedOver && releaseHold(form, release);
    return watchPage(releaseUnfinished, () => dialog().open && open());
  }, [form, release]);
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
    isHandedOver = false;
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

/** A link to the plain page that passes on the choice in the address, or, once the form was reached, posts the form with the typed text. */
export const PlainBookingLink = ({ form, href, zone, slot, day, callLanguage, className, children }) => {
  const plainPage = backendAddress(href);
  const onClick = (event) => {
    if (isForBrowser(event)) {
      return;
    }
    const link = event.currentTarget;
    const draft = readDraft(form);
    const { beside = {}, fields = {} } = draft;
    // The state may not have learnt of the last press before its socket closed; the screen has it.
    const onScreen = link.closest("dialog")?.querySelector(".slot input:checked")?.value;
    const choice = { slot: beside.slot || onScreen || slot, zone: beside.time_zone || zone, callLanguage };
    const isFormReached = beside.slot || Object.keys(fields).length > 0;
    if (isFormReached) {
      event.preventDefault();
      isHandedOver = true;
      postTo(`${plainPage}/details?${queryOf({ ...choice, hold: beside.hold })}`, postedValues(draft, choice.slot));
    } else {
      link.href = `${plainPage}?${queryOf({ ...choice, day })}`;
    }
  };
  return (
    <a href={plainPage} className={className} onClick={onClick}>
      {children}
    </a>
  );
};

// Returns the choice as the plain page reads it.
const queryOf = ({ zone, slot, callLanguage, day = "", hold = "" }) =>
  new URLSearchParams({
    zone,
    ...(slot && { slot }),
    ...(callLanguage && { speak: callLanguage }),
    ...(day && { day }),
    ...(hold && { hold }),
  });

const postedValues = ({ fields = {}, key = "", token = "" }, slot) => {
  const action = slot ? "keep" : "show";
  return { ...fields, key, token, slot, do: action };
};

// Leaves the page by posting a form with these values.
const postTo = (action, values) => {
  const carrier = Object.assign(document.createElement("form"), { method: "post", action, hidden: true });
  for (const [name, value] of Object.entries(values)) {
    carrier.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(carrier);
  carrier.submit();
};

/** Shows `children` once `seconds` have passed. */
export const ShowAfter = ({ seconds, children }) => {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return isDue ? children : null;
};
