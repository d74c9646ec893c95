// Which pages the browser loads as documents: those with their own style and policy. React would replace only the elements.
import { LEFT_BY_REACT, OWN_DOCUMENTS } from "$/static_first/own_documents";

const withoutSlash = (pathname) => pathname.replace(/(.)\/$/, "$1");
const loadedPath = typeof location === "undefined" ? "" : withoutSlash(location.pathname);
let shownPath = loadedPath;

/** Returns true if React must not show this page in the document that the browser has loaded. */
export const isOfAnotherDocument = (pathname) => {
  const path = withoutSlash(pathname);
  return !import.meta.env.DEV && path !== loadedPath && [path, loadedPath].some((either) => OWN_DOCUMENTS.includes(either));
};

/**
 * Returns true if the browser must load the page that follows. A page with on_unmount is left by React, because a document that is left sends
 * no events; the page that follows is then loaded anew.
 */
export const mustBeLoaded = (pathname) => isOfAnotherDocument(pathname) && !LEFT_BY_REACT.includes(shownPath);

/** Called with the path of the page that React shows. */
export const noteShownPath = (pathname) => (shownPath = withoutSlash(pathname));

let isLeft = false;

/** Returns true once the browser loads another document in place of this one: a socket opened meanwhile would take its state away. */
export const isBeingLeft = () => isLeft;

/** Lets the browser load the page that the address bar shows. */
export const loadShownPage = () => {
  isLeft = true;
  location.reload();
};

/**
 * Lets the browser load the page to which a handler redirects or a link leads. Returns false if React can show it: loading it would repeat
 * its events.
 */
export const loadRedirected = (path, isReplacing) => {
  const { href, pathname } = new URL(path, location.href);
  if (!mustBeLoaded(pathname)) {
    return false;
  }
  isLeft = true;
  location[isReplacing ? "replace" : "assign"](href);
  return true;
};

// Back and Forward between pages that React has opened in one document before. This module runs before React Router listens.
if (typeof window !== "undefined") {
  const onReturn = (event) => {
    if (mustBeLoaded(location.pathname)) {
      event.stopImmediatePropagation();
      loadShownPage();
    }
  };
  addEventListener("popstate", onReturn, true);
}
