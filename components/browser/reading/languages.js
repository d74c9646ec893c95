// Stores the language that a visitor chooses, and offers the page in the visitor's own language, once, and only after the first activity.
import { LOCALES } from "$/build_parts/configuration";
import { english, localeOf } from "$/components/browser/locale";
import { firstActivity } from "$/static_first/first_activity";

const remember = (id) => {
  const end = id === english.id ? "; Max-Age=0" : "";
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `lang=${id}; Path=/; SameSite=Lax${end}${secure}`;
};
const hasChosen = () => /(^|; )lang=/.test(document.cookie);
const main = (tag) => tag.toLowerCase().split("-")[0];
const preferred = () => {
  const spokenLocales = (navigator.languages ?? []).map((tag) => LOCALES.find((locale) => main(locale.tag) === main(tag)));
  return spokenLocales.find(Boolean)?.id;
};

export const languages = () => {
  /** @param {MouseEvent} event */
  const click = ({ target, button }) => {
    const link = target.closest?.("a[data-language]");
    if (link && button < 2) {
      remember(link.dataset.language);
    } // not for the right button, which opens a context menu
  };
  for (const kind of ["click", "auxclick"]) {
    addEventListener(kind, click, true);
  } // the middle button, which opens a tab, fires auxclick instead of click
  const own = preferred();
  if (!own || own === localeOf(location.pathname) || hasChosen()) {
    return;
  }
  const { tag } = LOCALES.find(({ id }) => id === own);
  if (!document.querySelector(`link[rel="alternate"][hreflang="${tag}"]`)) {
    return;
  } // the page has no translation in that language
  firstActivity
    .then(() => import("$/components/browser/reading/snackbar"))
    .then(
      ({ offerLanguage }) => offerLanguage(own),
      () => {},
    );
};
