// Loads the whole stylesheet after the first paint: a page contains only the styles that it needs at first.
const address = () => document.querySelector("meta[name=stylesheet]")?.content; // absent in development, where the style is already loaded

let styled;
/** Loads the whole stylesheet once; resolves when it is loaded, or has failed. */
export const wholeStyle = () =>
  (styled ??= new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    const href = address();
    if (!href) {
      return resolve();
    }
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: resolve, onerror: resolve }),
    );
  }));
if (typeof window !== "undefined") {
  window.wholeStyle = wholeStyle;
}
