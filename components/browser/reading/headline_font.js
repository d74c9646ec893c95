// The face of headlines, fetched after the first paint and once, in the language whose letters it has. A face that is declared by the style
// would be waited for, and each that joins has all text of the page set anew.
import { HEADLINE_FONT, HEADLINE_LANGUAGE } from "$/build_parts/configuration";
import { onPageShown } from "$/components/browser/page_events";

let face;
const loadFace = () => {
  if (document.documentElement.lang !== HEADLINE_LANGUAGE) {
    return;
  }
  face ??= new FontFace(...HEADLINE_FONT).load().then(
    (it) => document.fonts.add(it),
    () => {},
  );
};
export const headlineFont = () => {
  loadFace();
  onPageShown(loadFace);
};
