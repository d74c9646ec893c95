// Tells the page that React has taken over, so that held events can be replayed. Renders nothing.
import { useEffect } from "react";
import { useLocation } from "react-router";
import { HYDRATED } from "$/static_first/events";
import { followUnlessPrevented } from "$/static_first/follow_link";
import { LEFT_BY_REACT, OWN_DOCUMENTS } from "$/static_first/own_documents";
import { isForBrowser } from "$/static_first/press";

const isIn = (paths, pathname) => paths.includes(pathname.replace(/(.)\/$/, "$1"));
const hasOwnDocument = (pathname) => isIn(OWN_DOCUMENTS, pathname);
const loadedPath = typeof location === "undefined" ? "" : location.pathname;

// Lets the browser load the document when a link leads to or from a page with its own style and policy: React would replace only the elements.
// A page with on_unmount is left by React, because a document that is left sends no events; the page that follows is then loaded anew.
const leaveDocument = (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || link.origin !== location.origin || link.target || event.defaultPrevented || isForBrowser(event)) {
    return;
  }
  const leadsElsewhere = link.pathname !== location.pathname;
  const staysInDocument = isIn(LEFT_BY_REACT, location.pathname);
  if (leadsElsewhere && !staysInDocument && [link, location].some(({ pathname }) => hasOwnDocument(pathname))) {
    followUnlessPrevented(event, () => link.cloneNode().click()); // React sees no press on an element outside of the page
  }
};

/** Placed once around every page. Renders nothing. */
export const Hydrated = () => {
  const { pathname } = useLocation();
  useEffect(() => {
    // React has led here: by an event handler, or by a link of a page with on_unmount.
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
