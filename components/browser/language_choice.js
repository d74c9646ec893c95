// Remembers the language a visitor chooses, and offers a page in the visitor's own language, once and politely: not before a first
// sign of the visitor.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { LOCALES } from "$/build_parts/site";
import { localeOf } from "$/components/browser/locale";
import { say } from "$/components/frame/snackbar";

const REFUSED = "offer:refused";
const english = LOCALES.find((one) => !one.prefix).id;

const remember = (id) => {
  const end = id === english ? "; Max-Age=0" : "";
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `lang=${id}; Path=/; SameSite=Lax${end}${secure}`;
};
const hasChosen = () => /(^|; )lang=/.test(document.cookie);
const main = (tag) => tag.toLowerCase().split("-")[0];
const own = () => {
  const known = (navigator.languages ?? []).map((tag) => LOCALES.find((one) => main(one.tag) === main(tag)));
  return known.find(Boolean)?.id;
};

const offer = (id, { tag, text, accept, dismiss }) =>
  say({
    type: "info", lang: tag, text, timeout: 0, waits: true,
    action: { label: accept, run: () => document.querySelector(`a[data-language=${id}]`).click() },
    dismissLabel: dismiss, onDismiss: () => sessionStorage.setItem(REFUSED, "1"),
  });

export const LanguageChoice = ({ current, hydrated, onChoose, offers }) => {
  const language = localeOf(useLocation().pathname), choose = useRef(onChoose);
  choose.current = onChoose;

  useEffect(() => {
    const click = ({ target, button }) => {
      const link = target.closest?.("a[data-language]");
      if (link && button < 2) remember(link.dataset.language); // the right button opens a menu
    };
    const kinds = ["click", "auxclick"]; // the middle button, which opens a tab, is no click
    for (const kind of kinds) addEventListener(kind, click, true);
    const preferred = own();
    const isNews = preferred && preferred !== language && !hasChosen() && !sessionStorage.getItem(REFUSED);
    if (isNews) Promise.resolve(window.touched).then(() => offer(preferred, offers[preferred])); // the boot script's
    return () => {
      for (const kind of kinds) removeEventListener(kind, click, true);
    };
  }, []);
  useEffect(() => {
    if (!hydrated || current === language) return;
    const later = setTimeout(() => choose.current(language)); // the address decides; the task in which React starts is long enough
    return () => clearTimeout(later);
  }, [hydrated, current, language]);
  return null;
};
