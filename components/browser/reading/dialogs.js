// Adds what a native <dialog> lacks: Back closes it, ?open= opens it, the focus returns even if its button was in a closed menu, and it
// closes on a change of page. The history entry is only ours: React Router does not see it appear or disappear.
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
  requestReact(); // React loads its content
};
const entry = () => history.state?.dialog ?? "";
// Both entries share one key: React Router, which may start on either, uses `idx` and `key` in this format, and ScrollMemory uses the key.
const mark = (how, name) => {
  if (!history.state?.key) {
    history.replaceState({ idx: 0, ...history.state, key: newKey() }, "");
  }
  history[how]({ ...history.state, dialog: name }, "");
};

const openAsked = () => {
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
  const now = document.activeElement;
  if (now !== document.body && now.getClientRects().length) {
    return;
  } // the browser has already restored the focus
  const menu = opener?.closest("[popover]");
  (menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : opener)?.focus();
};

// Synchronizes the history and the open dialog, whichever of them the visitor changed.
const follow = () => {
  let here = location.pathname; // of the shown page; React Router changes the address before it shows a page
  let opener = null;
  let shown = null;
  let leaving = false; // our own history.back() is running; nothing may be pushed until popstate

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
      return settle(); // the visitor may have opened a dialog again meanwhile
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
    shown = openDialog() ?? shown; // it may close again before the next frame
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
    } // after a change of language, too, Back only closes the dialog
  });
};

// Called when React failed to load and a dialog waits for it. If reloading the page is not possible, shows the dialog's noscript content
// until it closes. Then restores the markup that React expects, and the next opening retries.
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
  const invokes = "commandForElement" in HTMLButtonElement.prototype && "closedBy" in HTMLDialogElement.prototype; // implies popovers
  const polyfill = !invokes && import("$/components/browser/reading/invoker_polyfill");
  openAsked();
  follow();
  addEventListener("interaction-failed", offerTheWayOut);
  return polyfill;
};
