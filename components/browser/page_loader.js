// Navigates between pages: preloads a page's code on hover or touch, fades the new page in, follows redirects without the server,
// and recovers if the code fails to load.
import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { bare, inLocale, localeOf } from "$/components/browser/locale";
import { say } from "$/components/browser/page_events";
import { hasCome, loadAnew } from "$/components/browser/reload";

const SLOW = 200; // milliseconds after which loading a page is indicated

const trimmed = (path) => path.replace(/^\/+|\/+$/g, "");
const routeOf = (path) =>
  Object.values(window.__reactRouterManifest?.routes ?? {}).find(
    (one) => one.id !== "root" && (one.path ?? "") === trimmed(path),
  );
const loaded = (route) => !route || route.id in window.__reactRouterRouteModules;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Loads the module that React Router would load on navigation, and stores it where the router looks first.
const fetchPage = async (path, attempt = 0) => {
  const route = routeOf(path);
  if (loaded(route)) {
    return;
  }
  const again = attempt ? `?attempt=${attempt}` : ""; // browsers cache the failure of a module's address
  window.__reactRouterRouteModules[route.id] = await import(/* @vite-ignore */ route.module + again);
};

const preload = (path) => {
  const route = routeOf(path);
  if (loaded(route)) {
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
  const page = bare(url.pathname);
  if (page in redirects) {
    url.pathname = inLocale(redirects[page], localeOf(url.pathname));
  } else if (!paths.includes(page)) {
    return null;
  }
  const samePage = url.pathname === location.pathname;
  return samePage && url.hash ? null : url;
};

export const PageLoader = (props) => {
  const navigate = useNavigate();
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    let wanted = null;

    const go = async (url, attempt = 0) => {
      wanted = url;
      const slow = setTimeout(() => wanted === url && document.documentElement.toggleAttribute("data-leaving", true), SLOW);
      try {
        await Promise.all([fetchPage(url.pathname, attempt), window.wholeStyle?.()]);
        hasCome(url.pathname);
        if (wanted === url) {
          navigate(url.pathname + url.search + url.hash, { viewTransition: !calm(), replace: url.href === location.href });
        }
      } catch (error) {
        if (wanted === url) {
          await recover(url, error, attempt);
        }
      } finally {
        clearTimeout(slow);
        if (wanted === url) {
          document.documentElement.removeAttribute("data-leaving");
        }
      }
    };

    const recover = async (url, error, attempt) => {
      const detail = { path: url.pathname, error };
      if (!dispatchEvent(new CustomEvent("preload-error", { detail, cancelable: true }))) {
        return;
      }
      if (await loadAnew(url, url.pathname)) {
        return;
      }
      const { failed, again } = latest.current.words;
      say({ type: "error", text: failed, action: { label: again, run: () => go(url, attempt + 1) } });
    };

    const click = (event) => {
      if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
        return;
      }
      const url = destination(event.target.closest?.("a[href]"), latest.current);
      if (!url) {
        return;
      }
      event.preventDefault();
      go(url);
    };
    // The visitor pressed Back while a page was loading: do not show it.
    const stay = () => {
      wanted = null;
      document.documentElement.removeAttribute("data-leaving");
    };
    const hint = ({ target }) => {
      const url = destination(target.closest?.("a[href]"), latest.current);
      if (url) {
        preload(url.pathname);
      }
    };
    addEventListener("click", click, true);
    addEventListener("popstate", stay);
    const passive = { capture: true, passive: true };
    for (const kind of ["pointerover", "touchstart", "focusin"]) {
      addEventListener(kind, hint, passive);
    }
    return () => {
      removeEventListener("click", click, true);
      removeEventListener("popstate", stay);
      for (const kind of ["pointerover", "touchstart", "focusin"]) {
        removeEventListener(kind, hint, passive);
      }
    };
  }, [navigate]);
  return null;
};
