// The first scroll, touch, key, move of the pointer, or click of a program that reads the page aloud.
const options = { once: true, passive: true, capture: true };

/** Resolves at the first activity. */
export const firstActivity = new Promise((resolve) => {
  if (typeof document === "undefined") {
    return;
  }
  for (const type of ["scroll", "wheel", "pointerdown", "pointermove", "touchstart", "keydown", "click"]) {
    addEventListener(type, resolve, options);
  }
});
