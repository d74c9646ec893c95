// Loads the styles that a page lacks: it contains only the style of what it shows at first.
import { firstActivity } from "$/static_first/first_activity";

const load = (href) =>
  new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    if (!href) {
      return resolve();
    }
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: resolve, onerror: resolve }),
    );
  });
const wholeAddress = () => document.querySelector("meta[name=stylesheet]")?.content; // absent in development, where the style is already loaded
const closedAddress = () => document.querySelector("script[data-boot]")?.dataset.style;

let wholeSheet;
/** Loads the whole stylesheet once; resolves when it is loaded, or has failed. */
export const wholeStyle = () => (wholeSheet ??= load(wholeAddress()));

let closedSheet;
/** Loads the style of what is closed at first once. */
export const closedStyle = () => (closedSheet ??= load(closedAddress()));

if (typeof window !== "undefined") {
  window.wholeStyle = wholeStyle; // for React's files: another bundle, whose copy of this module would load the sheet a second time
  // Not at once, because a browser then computes the style of every element anew; an address may name what is to be opened.
  if (window.early?.length || location.hash) {
    closedStyle();
  }
  firstActivity.then(closedStyle);
}
