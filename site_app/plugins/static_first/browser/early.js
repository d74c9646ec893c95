// The visitor's presses before the page's script ran, which boot.js stores.

/** Returns the element that matches `selector` if it was the last one clicked before the page's script ran. */
export const clickedEarly = (selector) =>
  window.early
    ?.filter(({ type }) => type === "click")
    .at(-1)
    ?.target.closest?.(selector);

/** Ends what boot.js stores, once other listeners see the visitor's presses. */
export const stopEarlyRecording = () => (window.onclick = window.onsubmit = window.onpointerdown = null);
