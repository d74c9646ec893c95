// Small questions to the page and its browser, shared by the reader scripts and React's components.

export const NOT_FOUND = "#page-not-found"; // the anchor of the home page for visitors whose page was not found
export const SCROLL_POSITIONS_KEY = "scroll:positions"; // the key of the scroll positions in sessionStorage

/** Returns a key for a history entry, in React Router's format, as static_first's react.js does for the first entry. */
export const newHistoryKey = () => Math.random().toString(36).slice(2, 10);

/** Returns the element that the hash of an address names, or null. An invalid encoding, as in #100%, must not raise an error. */
export const addressedElement = (hash = location.hash) => {
  try {
    return hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  } catch {
    return null;
  }
};

/** Returns true if the visitor's device is set to show less movement. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Runs invisible work that follows a click only after the next frame, so that the visible response comes first. */
export const afterPaint = (run) => requestAnimationFrame(() => setTimeout(run));
