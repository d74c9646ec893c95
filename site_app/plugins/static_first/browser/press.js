// Tells which presses are for the browser, and keeps it from handling the others.

/** Returns true if a key is held that makes the browser open a tab or a window, or download: Ctrl, Cmd, Shift, Alt. */
export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** Returns true if the browser should handle the press itself: another button than the main one was used, or such a key is held. */
export const isForBrowser = (event) => event.button || hasModifier(event);

/** Keeps the browser from handling a press, and React, if it is partly started. */
export const holdBack = (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
};
