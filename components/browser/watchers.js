// Invisible components of the layout; each does something that the browser and React Router do not.
import { createElement, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { inLocale, localeOf, withoutLanguage } from "$/components/browser/locale";
import { NOT_FOUND, pageShown } from "$/components/browser/page_events";
import { logFailure } from "$/components/reliable_form/backend";

// Development uses Reflex's document, which does not include the reader scripts, and React writes the page's head last: every page has a
// picture there.
const readInDevelopment = () =>
  document.querySelector("meta[property='og:image']")
    ? import("$/components/browser/reading/reading").then(({ startReaderScripts }) => startReaderScripts())
    : setTimeout(readInDevelopment, 50);

/** Starts the reader scripts in development. Renders nothing. */
export const ReadInDevelopment = () => {
  useEffect(() => {
    if (import.meta.env.DEV) {
      readInDevelopment();
    }
  }, []);
  return null;
};

/** Switches the language when a state requests it, by clicking the menu's link, and reloads lists that are not in the page's language. */
export const LanguageChoice = ({ chosenLanguage, choices, listed, hydrated, onStale }) => {
  const language = localeOf(useLocation().pathname);
  const load = useRef(onStale);
  const followedChoices = useRef(null);
  load.current = onStale;
  useEffect(() => {
    if (!hydrated) {
      return;
    }
    if (followedChoices.current !== null && choices > followedChoices.current) {
      document.querySelector(`a[data-language="${chosenLanguage}"]`)?.click();
    }
    followedChoices.current = choices; // choices from before this page loaded are not followed again
  }, [hydrated, choices]);
  useEffect(() => {
    if (!hydrated || !listed || listed === language) {
      return;
    }
    const timer = setTimeout(() => load.current(language)); // in a new task, because the one that starts React is long enough
    return () => clearTimeout(timer);
  }, [hydrated, listed, language]);
  return null;
};

/** Logs failed calls of the server to the console; `counts` is their number by call, including those before this page was loaded. */
export const CallFailures = ({ counts, hydrated }) => {
  const reported = useRef(null);
  useEffect(() => {
    if (!hydrated) {
      return;
    }
    for (const [call, count] of Object.entries(counts)) {
      if (reported.current && count > (reported.current[call] ?? 0)) {
        logFailure(call, "Network Error");
      }
    }
    reported.current = counts;
  }, [counts, hydrated]);
  return null;
};

// Does what a full page load would do: moves the focus to the new page's h1, makes screen readers read its title, and notifies the
// reader scripts.
const moveFocus = (element) => {
  if (!element) {
    return;
  }
  if (!element.matches("a, button, summary")) {
    element.tabIndex = -1;
  }
  element.focus({ preventScroll: true });
};
const firstVisible = (selector) =>
  [...document.querySelectorAll(selector)].find((element) => element.getClientRects().length > 0);

/** Moves the focus to a new page's heading, and announces its title to screen readers. */
export const PageChange = () => {
  const location = useLocation();
  const { pathname } = location;
  const previousPath = useRef(pathname);
  const shownLocation = useRef(location);
  const [title, setTitle] = useState("");

  useEffect(() => {
    const from = previousPath.current;
    if (from === pathname) {
      return;
    }
    previousPath.current = pathname;
    setTitle(document.title);
    const dialog = document.querySelector("dialog[open]");
    if (dialog) {
      return void (document.activeElement === document.body && moveFocus(dialog.querySelector("h2")));
    }
    if (withoutLanguage(from) !== withoutLanguage(pathname)) {
      moveFocus(document.querySelector("main h1"));
    } else if (document.activeElement === document.body) {
      // the used language menu has been replaced with one in the new language
      moveFocus(firstVisible("[data-language-menu]"));
    }
  }, [pathname]);
  useEffect(() => {
    const from = shownLocation.current;
    if (from === location) {
      return;
    }
    shownLocation.current = location;
    pageShown({ from: from.pathname, pathname });
  }, [location]);
  return createElement("p", { role: "status", className: "sr-only" }, title);
};

/** The page for an unknown address: redirects to the new address of a moved page, or to the home page with a message. */
export const NotFound = ({ redirects }) => {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const language = localeOf(pathname);
    const moved = redirects[withoutLanguage(pathname)];
    navigate(moved ? inLocale(moved, language) + search : inLocale("/", language) + NOT_FOUND, { replace: true });
  }, []);
  return null;
};
