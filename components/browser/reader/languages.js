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
const primaryTag = (tag) => tag.toLowerCase().split("-")[0];
const preferredLanguage = () => {
  const localeFor = (tag) => LOCALES.find((locale) => primaryTag(locale.tag) === primaryTag(tag));
  return (navigator.languages ?? []).map(localeFor).find(Boolean)?.id;
};

/** Stores chosen languages from now on, and offers the visitor's own language. */
export const startLanguages = () => {
  /** @param {MouseEvent} event */
  const onClick = ({ target, button }) => {
    const link = target.closest?.("a[data-language]");
    // Not for the right button, which opens a context menu.
    if (link && button < 2) {
      remember(link.dataset.language);
    }
  };
  // The middle button, which opens a tab, fires auxclick instead of click.
  for (const type of ["click", "auxclick"]) {
    addEventListener(type, onClick, true);
  }
  const preferredId = preferredLanguage();
  if (!preferredId || preferredId === localeOf(location.pathname) || hasChosen()) {
    return;
  }
  const { tag } = LOCALES.find(({ id }) => id === preferredId);
  // The page has no translation in that language.
  if (!document.querySelector(`link[rel="alternate"][hreflang="${tag}"]`)) {
    return;
  }
  firstActivity
    .then(() => import("$/components/messages/snackbar"))
    .then(
      ({ offerLanguage }) => offerLanguage(preferredId),
      () => {},
    );
};
