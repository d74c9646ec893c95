// What follows from a click but is not seen waits here until the frame that answers the click has been shown.
export const afterPaint = (run) => requestAnimationFrame(() => setTimeout(run));
