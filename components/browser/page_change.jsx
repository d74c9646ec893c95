// Does what a full page load would do and React Router does not: moves the focus to the new page's h1, makes screen readers read its title,
// notifies the reader scripts, and redirects from unknown addresses.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { inLocale, localeOf, withoutLanguage } from "$/components/browser/locale";
import { NOT_FOUND } from "$/components/browser/page";
import { announcePage } from "$/components/browser/page_events";

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
      if (document.activeElement === document.body) {
        moveFocus(dialog.querySelector("h2"));
      }
      return;
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
    announcePage({ from: from.pathname, pathname });
  }, [location, pathname]);
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
};

/** The page for an unknown address: redirects to the new address of a moved page, or to the home page with a message. */
export const NotFound = ({ redirects }) => {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const redirect = useEffectEvent(() => {
    const language = localeOf(pathname);
    const newPath = redirects[withoutLanguage(pathname)];
    navigate(newPath ? inLocale(newPath, language) + search : inLocale("/", language) + NOT_FOUND, { replace: true });
  });
  useEffect(() => redirect(), []); // once, although the address changes by it
  return null;
};
