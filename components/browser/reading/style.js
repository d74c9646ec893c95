// Style and typeface that come after the first paint. The page holds the style of what it shows; the rest is for what may come: other
// pages, the content of dialogs, messages.
import { HEADLINE_FONT, HEADLINE_LANGUAGE } from "$/build_parts/configuration";
import { onPageShown } from "$/components/browser/page_events";

const address = () => document.querySelector("meta[name=stylesheet]")?.content; // in development the style is there

let styled;
export const wholeStyle = () =>
  (styled ??= new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    const href = address();
    if (!href) return resolve();
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  }));
if (typeof window !== "undefined") window.wholeStyle = wholeStyle;

// The face of headlines, fetched once, in the language whose letters it has. A face that is declared by the style would be waited for, and
// each that joins has all text of the page set anew.
let face;
const loadFace = () => {
  if (document.documentElement.lang !== HEADLINE_LANGUAGE) return;
  face ??= new FontFace(...HEADLINE_FONT).load().then((it) => document.fonts.add(it), () => {});
};
export const headlineFont = () => {
  loadFace();
  onPageShown(loadFace);
};
