// What the parts of a page tell each other, as events of the window, and what both plain script and React know by name.

export const NOT_FOUND = "#page-not-found"; // the end of the home page's address for a visitor whose page is not there
export const PLACES = "scroll:positions"; // the places on pages, in the tab's storage

// The visitor means to do something that only React can answer.
export const mean = () => dispatchEvent(new Event("intent"));

// React shows another page, or another place in this one: { from, pathname }.
export const pageShown = (detail) => dispatchEvent(new CustomEvent("page-shown", { detail }));
export const onPageShown = (answer) => addEventListener("page-shown", ({ detail }) => answer(detail));

// The first scroll, touch, key or move of the pointer.
const once = { once: true, passive: true, capture: true };
export const signOfLife = new Promise((alive) => {
  if (typeof document === "undefined") return;
  for (const kind of ["scroll", "wheel", "pointerdown", "pointermove", "touchstart", "keydown"]) addEventListener(kind, alive, once);
});

// What follows from a click but is not seen waits here until the frame that answers the click has been shown.
export const afterPaint = (run) => requestAnimationFrame(() => setTimeout(run));

// Shows a short message at the foot of the page, or takes it back, by its text, because it is no longer so.
// A message is { type, text, content, timeout, action: { label, run }, lang, waits, dismissLabel, onDismiss }; one that `waits` lets all
// others, and an open dialog, go first.
export const say = (message) => dispatchEvent(new CustomEvent("snackbar", { detail: message }));
export const unsay = (text) => dispatchEvent(new CustomEvent("snackbar-unsay", { detail: text }));
