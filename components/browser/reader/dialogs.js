// Adds what a native <dialog> lacks: Back closes it, ?open= opens it, the focus returns even if its button was in a closed menu, and it
// closes on a change of page. The history entry is only ours: React Router does not see it appear or disappear.
import { withoutLanguage } from "$/components/browser/locale";
import { afterPaint, newHistoryKey, onPageShown, requestReact } from "$/components/browser/page_events";
import { reloadWithDialog } from "$/components/browser/reload";
import { sendingDialog } from "$/components/reliable_form/before_react";
import { INTERACTION_FAILED } from "$/static_first/events";

const openDialog = () => document.querySelector("dialog[open]");
const openName = () => openDialog()?.dataset.name ?? "";
const show = (name) => {
  const dialog = document.querySelector(`dialog[data-name="${CSS.escape(name)}"]`);
  if (!dialog) {
    return;
  }
  if (dialog.showModal && !dialog.open) {
    dialog.showModal();
  }
  requestReact(); // React loads its content
};
const dialogInHistory = () => history.state?.dialog ?? "";
// Both entries share one key: React Router, which may start on either, uses `idx` and `key` in this format, and ScrollMemory uses the key.
const writeHistory = (method, name) => {
  if (!history.state?.key) {
    history.replaceState({ idx: 0, ...history.state, key: newHistoryKey() }, "");
  }
  history[method]({ ...history.state, dialog: name }, "");
};

const openRequested = () => {
  const url = new URL(location.href);
  const name = url.searchParams.get("open") ?? sendingDialog(); // a form continues to send in its open dialog
  if (!name) {
    return;
  }
  url.searchParams.delete("open");
  history.replaceState(history.state, "", url);
  show(name);
};

const returnFocus = (opener) => {
  const focused = document.activeElement;
  // The browser has already restored the focus.
  if (focused !== document.body && focused.getClientRects().length) {
    return;
  }
  const menu = opener?.closest("[popover]");
  (menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : opener)?.focus();
};

// Synchronizes the history and the open dialog, whichever of them the visitor changed.
const syncWithHistory = () => {
  let shownPath = location.pathname; // of the shown page; React Router changes the address before it shows a page
  let opener = null;
  let lastDialog = null;
  let isLeaving = false; // our own history.back() is running; nothing may be pushed until popstate

  const updateHistory = () => {
    const name = openName();
    if (isLeaving || name === dialogInHistory()) {
      return;
    }
    if (name) {
      writeHistory(dialogInHistory() ? "replaceState" : "pushState", name);
    } else {
      isLeaving = true;
      history.back();
    }
  };
  const onDialogChange = () => {
    const opened = openDialog();
    if (lastDialog && !opened) {
      returnFocus(opener);
      opener = null;
    }
    lastDialog = opened;
    updateHistory();
  };
  const onPopState = (event) => {
    const isSamePage = location.pathname === shownPath;
    if (isLeaving) {
      isLeaving = false;
      if (isSamePage) {
        event.stopImmediatePropagation();
      }
      return updateHistory(); // the visitor may have opened a dialog again meanwhile
    }
    const name = dialogInHistory();
    const opened = openDialog();
    if (isSamePage && (name || opened || lastDialog)) {
      event.stopImmediatePropagation();
    }
    if (opened && openName() !== name) {
      opened.close();
    }
    if (name) {
      show(name);
    }
  };

  onDialogChange();
  const observer = new MutationObserver(() => {
    lastDialog = openDialog() ?? lastDialog; // it may close again before the next frame
    afterPaint(onDialogChange);
  });
  for (const dialog of document.querySelectorAll("dialog")) {
    observer.observe(dialog, { attributeFilter: ["open"] });
  }
  addEventListener("popstate", onPopState, true);
  addEventListener("click", ({ target }) => (opener = target.closest?.("[command=show-modal]") ?? opener), true);
  onPageShown(({ from, pathname }) => {
    shownPath = pathname;
    if (withoutLanguage(from) !== withoutLanguage(pathname) && !dialogInHistory()) {
      openDialog()?.close();
    }
    // After a change of language, too, Back only closes the dialog.
    if (openDialog() && !dialogInHistory()) {
      writeHistory("pushState", openName());
    }
  });
};

// Called when React failed to load and a dialog waits for it. If reloading the page is not possible, shows the dialog's noscript content
// until it closes. Then restores the markup that React expects, and the next opening retries.
const offerPlainPage = async () => {
  const dialog = openDialog();
  const skeleton = dialog?.querySelector(".skeleton")?.parentElement;
  if (!skeleton || (await reloadWithDialog(dialog.dataset.name)) || !dialog.open) {
    return;
  }
  const alternative = Object.assign(document.createElement("div"), {
    role: "alert",
    innerHTML: dialog.querySelector("noscript").textContent,
  });
  skeleton.replaceWith(alternative);
  dialog.addEventListener("close", () => alternative.replaceWith(skeleton), { once: true });
};

/** Starts the handling of dialogs; returns a promise if the browser needs the polyfill. */
export const startDialogs = () => {
  const isSupported = "commandForElement" in HTMLButtonElement.prototype && "closedBy" in HTMLDialogElement.prototype; // implies popovers
  const polyfill = !isSupported && import("$/components/browser/reader/invoker_polyfill");
  openRequested();
  syncWithHistory();
  addEventListener(INTERACTION_FAILED, offerPlainPage);
  return polyfill;
};
