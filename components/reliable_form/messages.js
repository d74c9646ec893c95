// Shows a short message on the page, or takes it back, by its text, because it is no longer so. Who shows messages listens to these events.
// A message is { type, text, content, timeout, action: { label, run }, lang, waits, dismissLabel, onDismiss }; one that `waits` lets all
// others, and an open dialog, go first.
export const say = (message) => dispatchEvent(new CustomEvent("snackbar", { detail: message }));
export const unsay = (text) => dispatchEvent(new CustomEvent("snackbar-unsay", { detail: text }));
