// The whole stylesheet, which comes after the first paint: a page holds the style of what it shows, and the rest is for what may come.
const address = () => document.querySelector("meta[name=stylesheet]")?.content; // in development the style is there

let styled;
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
