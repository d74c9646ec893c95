// Shows a short message on the page, or removes it, by its text, when it no longer applies. The snackbar listens to these events.
// A message is { type, text, content, timeout, action: { label, run }, lang, waits, dismissLabel, onDismiss }. With `waits` it is shown only
// after all other messages, and not while a dialog is open.
export const showMessage = (message) => dispatchEvent(new CustomEvent("snackbar", { detail: message }));
/** Hides messages with this text. */
export const hideMessage = (text) => dispatchEvent(new CustomEvent("snackbar-hide", { detail: text }));
