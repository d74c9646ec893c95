// Navigates between pages: preloads a page's code on hover or touch, fades the new page in, follows redirects without the server,
// and recovers if the code fails to load.
import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import { inLocale, localeOf, withoutLanguage } from "$/components/browser/locale";
import { prefersReducedMotion } from "$/components/browser/page";
import { PRELOAD_ERROR } from "$/components/browser/page_events";
import { showMessage } from "$/components/messages/events";
import { clearReloadMark, reloadOnce } from "$/components/browser/reload";
import { loadRedirected } from "$/static_first/documents";
import { followUnlessPrevented } from "$/static_first/follow_link";
import { isForBrowser } from "$/static_first/press";

const SHOW_LOADING_AFTER_MS = 200;

const withoutSlashes = (path) => path.replace(/^\/+|\/+$/g, "");
const routeOf = (path) =>
  Object.values(window.__reactRouterManifest?.routes ?? {}).find(
    (entry) => entry.id !== "root" && (entry.path ?? "") === withoutSlashes(path),
  );
const isLoaded = (route) => !route || route.id in window.__reactRouterRouteModules;

// Loads the module that React Router would load on navigation, and stores it where the router looks first.
const fetchPage = async (path, attempt = 0) => {
  const route = routeOf(path);
  if (isLoaded(route)) {
    return;
  }
  const again = attempt ? `?attempt=${attempt}` : ""; // browsers cache the failure of a module's address
  window.__reactRouterRouteModules[route.id] = await import(/* @vite-ignore */ route.module + again);
};

const preload = (path) => {
  const route = routeOf(path);
  if (isLoaded(route)) {
    return;
  }
  for (const href of [route.module, ...route.imports]) {
    if (document.querySelector(`link[href="${href}"]`)) {
      continue;
    }
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
};

// Returns the URL to which a link leads within the site; null for links that the browser should follow itself.
const destination = (link, { paths, redirects }) => {
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) {
    return null;
  }
  const url = new URL(link.href);
  const page = withoutLanguage(url.pathname);
  if (page in redirects) {
    url.pathname = inLocale(redirects[page], localeOf(url.pathname));
  } else if (!paths.includes(page)) {
    return null;
  }
  const samePage = url.pathname === location.pathname;
  return samePage && url.hash ? null : url;
};

/** Follows links within the site. Renders nothing. */
export const PageLoader = ({ paths, redirects, words }) => {
  const navigate = useNavigate();
  const destinationOf = useEffectEvent((target) => destination(target.closest?.("a[href]"), { paths, redirects }));
  const offerRetry = useEffectEvent((run) => {
    showMessage({ type: "error", text: words.failed, action: { label: words.again, run } });
  });

  useEffect(() => {
    const loader = createLoader(navigate, offerRetry);
    const onClick = (event) => {
      if (event.defaultPrevented || isForBrowser(event)) {
        return;
      }
      const url = destinationOf(event.target);
      if (url) {
        followUnlessPrevented(event, () => loadRedirected(url.href) || loader.open(url));
      }
    };
    const preloadTarget = ({ target }) => {
      const url = destinationOf(target);
      if (url) {
        preload(url.pathname);
      }
    };
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("click", onClick, { capture: true, signal });
    addEventListener("popstate", loader.cancel, { signal });
    for (const type of ["pointerover", "touchstart", "focusin"]) {
      addEventListener(type, preloadTarget, { capture: true, passive: true, signal });
    }
    return () => listening.abort();
  }, [navigate]);
  return null;
};

// Shows or hides the bar that says that another page is loading; the page's style draws it.
const showLoading = (isLoading) => document.documentElement.toggleAttribute("data-leaving", isLoading);

// Returns `open`, which loads and shows a page, and `cancel`. A page is shown only if nothing was opened after it. `offerRetry` tells the visitor
// that a page did not load, and gets a function that tries again.
const createLoader = (navigate, offerRetry) => {
  let latestUrl = null;

  const open = async (url, attempt = 0) => {
    latestUrl = url;
    const timer = setTimeout(() => latestUrl === url && showLoading(true), SHOW_LOADING_AFTER_MS);
    try {
      await Promise.all([fetchPage(url.pathname, attempt), window.wholeStyle?.()]);
      clearReloadMark(url.pathname);
      if (latestUrl === url) {
        const replace = url.href === location.href;
        navigate(url.pathname + url.search + url.hash, { viewTransition: !prefersReducedMotion(), replace });
      }
    } catch (error) {
      if (latestUrl === url && !(await isRecovered(url, error))) {
        offerRetry(() => open(url, attempt + 1));
      }
    } finally {
      clearTimeout(timer);
      if (latestUrl === url) {
        showLoading(false);
      }
    }
  };
  // The visitor pressed Back while a page was loading: do not show it.
  const cancel = () => {
    latestUrl = null;
    showLoading(false);
  };
  return { open, cancel };
};

// Returns true if the failure to load a page needs no message: another script handles it, or the whole document is loaded instead.
const isRecovered = async (url, error) => {
  const detail = { path: url.pathname, error };
  const isUnhandled = dispatchEvent(new CustomEvent(PRELOAD_ERROR, { detail, cancelable: true }));
  return !isUnhandled || (await reloadOnce(url, url.pathname));
};
