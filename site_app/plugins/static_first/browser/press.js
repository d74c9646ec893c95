// Which presses the browser handles by itself, and how to keep it from a press.

/** Returns true with a key that makes the browser open a tab or window, or download: Ctrl, Cmd, Shift, Alt. */
export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** Returns true if the browser should handle the press: of another button than the main one, or with such a key. */
export const isForBrowser = (event) => event.button || hasModifier(event);

/** Keeps the browser from handling a press, and React, if it is partly started. */
export const holdBack = (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
};
