// For browsers without invoker commands (before Safari 26.2, Firefox 144) or `closedby` (Safari): buttons open and close their
// dialog, and so does a click beside it.
const commands = { "show-modal": (dialog) => dialog.open || dialog.showModal(), close: (dialog) => dialog.close() };

if (!("commandForElement" in HTMLButtonElement.prototype)) {
  addEventListener("click", ({ target }) => {
    const button = target.closest?.("button[commandfor]");
    const dialog = button && document.getElementById(button.getAttribute("commandfor"));
    if (dialog) commands[button.getAttribute("command")]?.(dialog);
  });
}

if (!("closedBy" in HTMLDialogElement.prototype)) {
  const beside = (dialog, { clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  };
  let pressed = null; // a drag out of a field must not close
  addEventListener("pointerdown", (event) => {
    pressed = event.target.matches?.("dialog[closedby=any]") && beside(event.target, event) ? event.target : null;
  });
  addEventListener("click", (event) => {
    if (pressed && event.target === pressed && beside(pressed, event)) pressed.close();
  });
}

// A button may have been pressed before this was there.
const early = window.early?.click?.closest?.("button[commandfor]");
if (early && !("commandForElement" in HTMLButtonElement.prototype)) early.click();
