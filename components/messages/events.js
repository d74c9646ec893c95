// Short messages of a page: events of the window, which the page's snackbar handles.

export const SNACKBAR = "snackbar";
export const SNACKBAR_HIDE = "snackbar-hide";
export const SNACKBAR_ACTION = "snackbar-action"; // the button of a message was pressed, for the part of the page that handles its action

/**
 * Shows a message { type, text, content, timeout, action: { label, run }, cancel, lang, waits, dismissLabel, onDismiss, onExpire }. With
 * `waits` it is shown only after all other messages, and not while a dialog is open. With `word` instead of `text` it shows these words of
 * MESSAGES. `onDismiss` is called when the visitor closes it, `onExpire` when its time or a newer message ends it, and neither after one of
 * its buttons, `action` or `cancel`.
 */
export const showMessage = (message) => dispatchEvent(new CustomEvent(SNACKBAR, { detail: message }));
/** Hides messages with this text. */
export const hideMessage = (text) => dispatchEvent(new CustomEvent(SNACKBAR_HIDE, { detail: text }));
/** Runs the action of a message, such as "submit:quote". */
export const runAction = (action) => dispatchEvent(new CustomEvent(SNACKBAR_ACTION, { detail: { action } }));
