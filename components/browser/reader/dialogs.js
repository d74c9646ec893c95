// Adds what a native <dialog> lacks: Back closes it, ?open= opens it, the focus returns even if its button was in a closed menu, and it
// closes on a change of page. The history entry is only ours: React Router does not see it appear or disappear.
import { withoutLanguage } from "$/components/browser/locale";
import { afterPaint, newHistoryKey } from "$/components/browser/page";
import { onPageShown, requestReact } from "$/components/browser/page_events";
import { reloadWithDialog } from "$/components/browser/reload";
import { sendingDialog } from "$/components/reliable_form/before_react";
import { HYDRATED, INTERACTION_FAILED } from "$/static_first/events";

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

let opener = null; // the last pressed button of a dialog
let lastDialog = null; // the dialog that was open at the last change

const rememberOpener = ({ target }) => {
  opener = target.closest?.("[command=show-modal]") ?? opener;
};
// Focuses the button that opened the dialog, or that of the menu around it, unless the browser has already restored the focus.
const returnFocus = () => {
  const focused = document.activeElement;
  const menu = opener?.closest("[popover]");
  if (focused === document.body || !focused.getClientRects().length) {
    (menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : opener)?.focus();
  }
  opener = null;
};

let shownPath = location.pathname; // of the shown page; React Router changes the address before it shows a page
let isLeaving = false; // our own history.back() is running; nothing may be pushed until popstate

const dialogInHistory = () => history.state?.dialog ?? "";
// Both entries share one key: React Router, which may start on either, uses `idx` and `key` in this format, and ScrollMemory uses the key.
const writeHistory = (method, name) => {
  if (!history.state?.key) {
    history.replaceState({ idx: 0, ...history.state, key: newHistoryKey() }, "");
  }
  history[method]({ ...history.state, dialog: name }, "");
};

// Makes the history follow the dialog that the visitor opened or closed.
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
// Makes the open dialog follow the history, in which the visitor went back or forward.
const followHistory = () => {
  const name = dialogInHistory();
  if (openName() !== name) {
    openDialog()?.close();
  }
  if (name) {
    show(name);
  }
};
const onPopState = (event) => {
  const isAboutDialog = isLeaving || dialogInHistory() || openDialog() || lastDialog;
  if (isAboutDialog && location.pathname === shownPath) {
    event.stopImmediatePropagation(); // React Router does not see it
  }
  if (isLeaving) {
    isLeaving = false;
    updateHistory(); // the visitor may have opened a dialog again meanwhile
  } else {
    followHistory();
  }
};

const onDialogChange = () => {
  const opened = openDialog();
  if (lastDialog && !opened) {
    returnFocus();
  }
  lastDialog = opened;
  updateHistory();
};
const onPage = ({ from, pathname }) => {
  shownPath = pathname;
  if (withoutLanguage(from) !== withoutLanguage(pathname) && !dialogInHistory()) {
    openDialog()?.close();
  }
  // After a change of language, too, Back only closes the dialog.
  if (openDialog() && !dialogInHistory()) {
    writeHistory("pushState", openName());
  }
};

const watchDialogs = () => {
  const observer = new MutationObserver(() => {
    lastDialog = openDialog() ?? lastDialog; // it may close again before the next frame
    afterPaint(onDialogChange);
  });
  const watchAll = () => {
    for (const dialog of document.querySelectorAll("dialog")) {
      observer.observe(dialog, { attributeFilter: ["open"] });
    }
  };
  // React draws the page anew if an extension had changed it before this script ran.
  const onHydrated = () => {
    watchAll();
    if (lastDialog?.open && !lastDialog.isConnected) {
      show(lastDialog.dataset.name);
    }
  };
  watchAll();
  addEventListener(HYDRATED, onHydrated);
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
  onDialogChange();
  watchDialogs();
  addEventListener("popstate", onPopState, true);
  addEventListener("click", rememberOpener, true);
  onPageShown(onPage);
  addEventListener(INTERACTION_FAILED, offerPlainPage);
  return polyfill;
};
