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
  hideBelowScreen();
  document.fonts.add(font);
  for (let width = 95; title?.offsetHeight < height && width >= 50; width -= 5) {
    title.style.maxWidth = `${width}%`;
  }
  if (title && title.offsetHeight !== height) {
    title.style.maxWidth = "";
    title.style.fontFamily = "var(--font-sans)";
  }
};

const STEP_MS = 8;
// Hides what is below the screen, without changing its size, and shows it again in steps, each a short task: the text of a whole page, laid
// out at once, would keep a slow phone from answering a press.
const hideBelowScreen = () => {
  const hidden = blocksBelowScreen(document.body).map((block) => {
    const { contentVisibility, height, minWidth } = block.style;
    const size = block.getBoundingClientRect();
    return { block, before: { contentVisibility, height, minWidth }, size };
  });
  for (const { block, size } of hidden) {
    Object.assign(block.style, { contentVisibility: "hidden", height: `${size.height}px`, minWidth: `${size.width}px` });
  }
  const showStep = () => {
    const end = performance.now() + STEP_MS;
    while (hidden.length > 0 && performance.now() < end) {
      const { block, before } = hidden.shift();
      Object.assign(block.style, before);
      block.getBoundingClientRect(); // lays the block out now, in this task
    }
    if (hidden.length > 0) {
      setTimeout(showStep);
    }
  };
  setTimeout(showStep);
};

// Returns the largest elements that are wholly below the screen, from top to bottom.
const blocksBelowScreen = (parent) =>
  [...parent.children].flatMap((child) => {
    const { top, bottom, height } = child.getBoundingClientRect();
    if (top > innerHeight) {
      return height > 0 ? [child] : [];
    }
    return bottom > innerHeight ? blocksBelowScreen(child) : [];
  });

/** Loads the font of the page's language now, and of another one with its first page. */
export const startHeadlineFont = () => {
  loadFace();
  onPageShown(loadFace);
};
