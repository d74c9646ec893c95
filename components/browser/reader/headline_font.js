// Loads the headline font once, after the first paint, in the language whose letters it has, and the font of the brand's name in others. A
// font declared in the stylesheet would delay the text, and each added font makes the browser lay out all text again.
import { BRAND_FONT, HEADLINE_FONT, HEADLINE_LANGUAGE } from "$/build_parts/configuration";
import { onPageShown } from "$/components/browser/page_events";

const loading = new Map();
const loadFace = () => {
  const font = document.documentElement.lang === HEADLINE_LANGUAGE ? HEADLINE_FONT : BRAND_FONT;
  if (!loading.has(font)) {
    loading.set(font, new FontFace(...font).load().then(addFace, () => {}));
  }
};
// Adds the font. The title keeps its number of lines, else the page would move under the reader's eyes: one that would be shorter becomes
// narrower, one that would be longer keeps the other font.
const addFace = (font) => {
  const title = document.querySelector("h1");
  const height = title?.offsetHeight;
  document.fonts.add(font);
  for (let width = 95; title?.offsetHeight < height && width >= 50; width -= 5) {
    title.style.maxWidth = `${width}%`;
  }
  if (title && title.offsetHeight !== height) {
    title.style.maxWidth = "";
    title.style.fontFamily = "var(--font-sans)";
  }
};
/** Loads the font of the page's language now, and of another one with its first page. */
export const startHeadlineFont = () => {
  loadFace();
  onPageShown(loadFace);
};
