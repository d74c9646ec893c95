// Tells the page that React has taken over, so that held events can be replayed. Renders nothing.
import { useEffect } from "react";
import { useLocation } from "react-router";
import { isOfAnotherDocument, loadShownPage, mustBeLoaded, noteShownPath } from "$/static_first/documents";
import { HYDRATED } from "$/static_first/events";
import { followUnlessPrevented } from "$/static_first/follow_link";
import { OWN_DOCUMENTS } from "$/static_first/own_documents";
import { isForBrowser } from "$/static_first/press";

// Lets the browser load the document when a link leads to or from a page with its own document.
const leaveDocument = (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || link.origin !== location.origin || link.target || event.defaultPrevented || isForBrowser(event)) {
    return;
  }
  if (mustBeLoaded(link.pathname)) {
    followUnlessPrevented(event, () => link.cloneNode().click()); // React sees no press on an element outside of the page
  }
};

/** Placed once around every page. Renders nothing. */
export const Hydrated = () => {
  const { pathname } = useLocation();
  useEffect(() => {
    noteShownPath(pathname);
    // React has led here from a page with on_unmount.
    if (isOfAnotherDocument(pathname)) {
      loadShownPage();
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
