// Tells the page that React has taken over, so that held events can be replayed. Renders nothing.
import { useEffect } from "react";
import { useLocation } from "react-router";
import { HYDRATED } from "$/static_first/events";
import { followUnlessPrevented } from "$/static_first/follow_link";
import { OWN_DOCUMENTS } from "$/static_first/own_documents";
import { isForBrowser } from "$/static_first/press";

const hasOwnDocument = (pathname) => OWN_DOCUMENTS.includes(pathname.replace(/(.)\/$/, "$1"));
const loadedPath = typeof location === "undefined" ? "" : location.pathname;

// Lets the browser load the document when a link leads to or from a page with its own style and policy: React would replace only the elements.
const leaveDocument = (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || link.origin !== location.origin || link.target || event.defaultPrevented || isForBrowser(event)) {
    return;
  }
  const leadsElsewhere = link.pathname !== location.pathname;
  if (leadsElsewhere && [link, location].some(({ pathname }) => hasOwnDocument(pathname))) {
    followUnlessPrevented(event, () => link.cloneNode().click()); // React sees no press on an element outside of the page
  }
};

/** Placed once around every page. Renders nothing. */
export const Hydrated = () => {
  const { pathname } = useLocation();
  useEffect(() => {
    // An event handler, not a link, has led here.
    if (!import.meta.env.DEV && pathname !== loadedPath && (hasOwnDocument(pathname) || hasOwnDocument(loadedPath))) {
      location.reload();
    }
  }, [pathname]);
  useEffect(() => {
    if (!import.meta.env.DEV && OWN_DOCUMENTS.length) {
      addEventListener("click", leaveDocument, true);
    }
    // The effects of the providers around this component run after this one; they would undo an earlier click.
    const timer = setTimeout(() => {
      window.hydratedAt = performance.now();
      dispatchEvent(new Event(HYDRATED));
    });
    return () => {
      clearTimeout(timer);
      removeEventListener("click", leaveDocument, true);
    };
  }, []);
  return null;
};
