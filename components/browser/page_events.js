// What the parts of a page tell each other, as events of the window, and what both plain script and React know by name.

export const NOT_FOUND = "#page-not-found"; // the end of the home page's address for a visitor whose page is not there
export const PLACES = "scroll:positions"; // the places on pages, in the tab's storage

/** A key for an entry of the history, as React Router makes them. */
export const newKey = () => Math.random().toString(36).slice(2, 10);

/** Ask for React: the visitor begins something that only React can answer. */
export const requestReact = () => dispatchEvent(new Event("intent"));

/** React shows another page, or another place in this one: { from, pathname }. */
export const pageShown = (detail) => dispatchEvent(new CustomEvent("page-shown", { detail }));
export const onPageShown = (answer) => addEventListener("page-shown", ({ detail }) => answer(detail));

/** The element that the end of an address names. Whoever wrote it may not have encoded it, as in #100%: then there is none. */
export const addressed = (hash = location.hash) => {
  try {
    return hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  } catch {
    return null;
  }
};

/** What follows from a click but is not seen waits here until the frame that answers the click has been shown. */
export const afterPaint = (run) => requestAnimationFrame(() => setTimeout(run));

export { say, unsay } from "$/components/reliable_form/messages";

/** The element that matches, if it was what was clicked last before the page's script was there: boot.js keeps these events. */
export const clickedEarly = (selector) =>
  window.early
    ?.filter(({ type }) => type === "click")
    .at(-1)
    ?.target.closest?.(selector);
