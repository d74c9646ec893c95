// The page's language, as far as states decide it.
import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation } from "react-router";
import { localeOf } from "$/components/browser/locale";

/** Switches the language when a state requests it, by clicking the menu's link, and reloads lists that are not in the page's language. */
export const LanguageChoice = ({ chosenLanguage, choiceCount, listed, hydrated, onStale }) => {
  const language = localeOf(useLocation().pathname);
  const load = useEffectEvent(onStale);
  const followedCount = useRef(null);
  useEffect(() => {
    if (!hydrated) {
      return;
    }
    if (followedCount.current !== null && choiceCount > followedCount.current) {
      document.querySelector(`a[data-language="${chosenLanguage}"]`)?.click();
    }
    followedCount.current = choiceCount; // choices from before this page loaded are not followed again
  }, [hydrated, chosenLanguage, choiceCount]);
  useEffect(() => {
    if (!hydrated || !listed || listed === language) {
      return;
    }
    const timer = setTimeout(() => load(language)); // in a new task, because the one that starts React is long enough
    return () => clearTimeout(timer);
  }, [hydrated, listed, language]);
  return null;
};
