// Loads the headline font once, after the first paint, in the language whose letters it has. A font declared in the stylesheet would delay
// the text, and each added font makes the browser lay out all text again.
import { HEADLINE_FONT, HEADLINE_LANGUAGE } from "$/build_parts/configuration";
import { onPageShown } from "$/components/browser/page_events";

let face;
const loadFace = () => {
  if (document.documentElement.lang !== HEADLINE_LANGUAGE) {
    return;
  }
  face ??= new FontFace(...HEADLINE_FONT).load().then(addFace, () => {});
};
// Adds the font. A title that would be more or fewer lines in it keeps the other one: the page would move under the reader's eyes.
const addFace = (font) => {
  const title = document.querySelector("h1");
  const height = title?.offsetHeight;
  document.fonts.add(font);
  if (title && title.offsetHeight !== height) {
    title.style.fontFamily = "var(--font-sans)";
  }
};
/** Loads the font now, or with the first page in its language. */
export const startHeadlineFont = () => {
  loadFace();
  onPageShown(loadFace);
};
