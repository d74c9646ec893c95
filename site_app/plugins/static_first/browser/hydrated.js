// Tells the page that React has taken it over: what was held back can go on. Nothing to see.
import { useEffect } from "react";
import { useLocation } from "react-router";
import { OWN_DOCUMENTS } from "$/static_first/own_documents";

const isOwn = (pathname) => OWN_DOCUMENTS.includes(pathname.replace(/(.)\/$/, "$1"));
const loaded = typeof location === "undefined" ? "" : location.pathname;

// Between a page with a style and a policy of its own and any other, the browser goes by itself: React would bring only the elements.
const leaveDocument = (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || link.origin !== location.origin || link.target || event.defaultPrevented) {
    return;
  }
  if (isOwn(link.pathname) !== isOwn(location.pathname) || (isOwn(link.pathname) && link.pathname !== location.pathname)) {
    event.stopPropagation();
  }
};

export const Hydrated = () => {
  const { pathname } = useLocation();
  useEffect(() => {
    if (!import.meta.env.DEV && pathname !== loaded && (isOwn(pathname) || isOwn(loaded))) {
      location.reload();
    } // an event led here
  }, [pathname]);
  useEffect(() => {
    if (!import.meta.env.DEV && OWN_DOCUMENTS.length) {
      addEventListener("click", leaveDocument, true);
    }
    // Providers around us have their effects after ours; a click before them would be undone.
    const timer = setTimeout(() => {
      window.hydratedAt = performance.now();
      dispatchEvent(new Event("hydrated"));
    });
    return () => {
      clearTimeout(timer);
      removeEventListener("click", leaveDocument, true);
    };
  }, []);
  return null;
};
