// The first scroll, touch, key or move of the pointer.
const options = { once: true, passive: true, capture: true };

/** Resolves at the first activity. */
export const firstActivity = new Promise((resolve) => {
  if (typeof document === "undefined") {
    return;
  }
  for (const kind of ["scroll", "wheel", "pointerdown", "pointermove", "touchstart", "keydown"]) {
    addEventListener(kind, resolve, options);
  }
});
