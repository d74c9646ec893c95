// Loads the headline font once, after the first paint, in the language whose letters it has. A font declared in the stylesheet would delay
// the text, and each added font makes the browser lay out all text again.
import { HEADLINE_FONT, HEADLINE_LANGUAGE } from "$/build_parts/configuration";
import { onPageShown } from "$/components/browser/page_events";

let face;
const loadFace = () => {
  if (document.documentElement.lang !== HEADLINE_LANGUAGE) {
    return;
  }
  face ??= new FontFace(...HEADLINE_FONT).load().then(
    (font) => document.fonts.add(font),
    () => {},
  );
};
/** Loads the font now, or with the first page in its language. */
export const startHeadlineFont = () => {
  loadFace();
  onPageShown(loadFace);
};
