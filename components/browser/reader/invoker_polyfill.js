// For browsers without invoker commands (before Safari 26.2, Firefox 144), `closedby` (Safari) or popovers (before Safari 17, Firefox 125):
// makes buttons open and close their dialog or the drawer, and a click outside close it.
import { clickedEarly } from "$/static_first/early";
const commands = { "show-modal": (dialog) => dialog.open || dialog.showModal(), "close": (dialog) => dialog.close() };

const hasCommands = "commandForElement" in HTMLButtonElement.prototype;
const hasPopovers = "popover" in HTMLElement.prototype;

if (!hasCommands) {
  addEventListener("click", ({ target }) => {
    const button = target.closest?.("button[commandfor]");
    const dialog = button && document.getElementById(button.getAttribute("commandfor"));
    if (dialog) {
      commands[button.getAttribute("command")]?.(dialog);
    }
  });
}

if (!("closedBy" in HTMLDialogElement.prototype)) {
  const isOutside = (dialog, { clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  };
  let pressedDialog = null; // a drag out of a field must not close the dialog
  addEventListener("pointerdown", (event) => {
    pressedDialog = event.target.matches?.("dialog[closedby=any]") && isOutside(event.target, event) ? event.target : null;
  });
  addEventListener("click", (event) => {
    if (pressedDialog && event.target === pressedDialog && isOutside(pressedDialog, event)) {
      pressedDialog.close();
    }
  });
}

if (!hasPopovers) {
  addEventListener("click", ({ target }) => {
    const id = target.closest?.("[popovertarget]")?.getAttribute("popovertarget");
    for (const drawer of document.querySelectorAll("[popover]")) {
      const stays = drawer.contains(target) && !target.closest("a, [commandfor]");
      if (drawer.id === id) {
        drawer.toggleAttribute("data-open");
      } else if (!stays) {
        drawer.removeAttribute("data-open");
      }
    }
  });
}

// A button may have been pressed before this script ran.
const unsupported = [!hasCommands && "button[commandfor]", !hasPopovers && "[popovertarget]"].filter(Boolean).join();
if (unsupported) {
  clickedEarly(unsupported)?.click();
}
