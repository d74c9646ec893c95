// What a native <dialog> lacks: Back closes it, ?open= opens it, focus returns also when its button has gone with a menu, and it
// does not follow the visitor to another page. The history entry is ours alone: React Router never sees it come or go.
import { bare } from "$/components/browser/locale";
import { afterPaint, requestReact, newKey, onPageShown } from "$/components/browser/page_events";
import { loadDialogAnew } from "$/components/browser/reload";
import { sendingDialog } from "$/components/reliable_form/before_react";

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
  requestReact(); // React brings its content
};
const entry = () => history.state?.dialog ?? "";
// Both entries have the key of one place: React Router, which may start on either, writes `idx` and `key` as here, and ScrollMemory goes by it.
const mark = (how, name) => {
  if (!history.state?.key) {
    history.replaceState({ idx: 0, ...history.state, key: newKey() }, "");
  }
  history[how]({ ...history.state, dialog: name }, "");
};

const openAsked = () => {
  const url = new URL(location.href);
  const name = url.searchParams.get("open") ?? sendingDialog(); // a form goes on where it is shown
  if (!name) {
    return;
  }
  url.searchParams.delete("open");
  history.replaceState(history.state, "", url);
  show(name);
};

const returnFocus = (opener) => {
  const now = document.activeElement;
  if (now !== document.body && now.getClientRects().length) {
    return;
  } // the browser has brought it back itself
  const menu = opener?.closest("[popover]");
  (menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : opener)?.focus();
};

// Keeps the history and the open dialog in step, whichever of them the visitor moved.
const follow = () => {
  let here = location.pathname; // of the page that is shown: React Router changes the address before
  let opener = null;
  let shown = null;
  let leaving = false; // our own history.back() is under way, and nothing may be pushed until it has arrived

  const settle = () => {
    const name = openName();
    if (leaving || name === entry()) {
      return;
    }
    if (name) {
      mark(entry() ? "replaceState" : "pushState", name);
    } else {
      leaving = true;
      history.back();
    }
  };
  const changed = () => {
    const now = openDialog();
    if (shown && !now) {
      returnFocus(opener);
      opener = null;
    }
    shown = now;
    settle();
  };
  const popped = (event) => {
    const isSamePage = location.pathname === here;
    if (leaving) {
      leaving = false;
      if (isSamePage) {
        event.stopImmediatePropagation();
      }
      return settle(); // the visitor may have opened one again meanwhile
    }
    const name = entry();
    const now = openDialog();
    if (isSamePage && (name || now || shown)) {
      event.stopImmediatePropagation();
    }
    if (now && openName() !== name) {
      now.close();
    }
    if (name) {
      show(name);
    }
  };

  changed();
  const observer = new MutationObserver(() => {
    shown = openDialog() ?? shown; // it may be closed before the frame is shown
    afterPaint(changed);
  });
  for (const dialog of document.querySelectorAll("dialog")) {
    observer.observe(dialog, { attributeFilter: ["open"] });
  }
  addEventListener("popstate", popped, true);
  addEventListener("click", ({ target }) => (opener = target.closest?.("[command=show-modal]") ?? opener), true);
  onPageShown(({ from, pathname }) => {
    here = pathname;
    if (bare(from) !== bare(pathname) && !entry()) {
      openDialog()?.close();
    }
    if (openDialog() && !entry()) {
      mark("pushState", openName());
    } // in another language too, Back only closes it
  });
};

// React did not come, and a dialog waits for it: where the page cannot be loaded anew, it shows until it is closed what it has for browsers
// without scripts. Then it is again as React expects it, and the next opening tries again.
const offerTheWayOut = async () => {
  const dialog = openDialog();
  const skeleton = dialog?.querySelector(".skeleton")?.parentElement;
  if (!skeleton || (await loadDialogAnew(dialog.dataset.name)) || !dialog.open) {
    return;
  }
  const out = Object.assign(document.createElement("div"), {
    role: "alert",
    innerHTML: dialog.querySelector("noscript").textContent,
  });
  skeleton.replaceWith(out);
  dialog.addEventListener("close", () => out.replaceWith(skeleton), { once: true });
};

export const dialogs = () => {
  const invokes = "commandForElement" in HTMLButtonElement.prototype && "closedBy" in HTMLDialogElement.prototype; // such a browser has popovers
  const polyfill = !invokes && import("$/components/browser/reading/invoker_polyfill");
  openAsked();
  follow();
  addEventListener("interaction-failed", offerTheWayOut);
  return polyfill;
};
