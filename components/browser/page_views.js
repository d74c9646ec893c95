// Counts page views (the server knows a page's tag and language by its path) by a script from our own path, loaded when the page is idle; not for visitors who ask not to be counted.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { ROUTES } from "$/build_parts/site";
import { bare } from "$/components/browser/locale";

const refused = () => navigator.doNotTrack === "1" || navigator.globalPrivacyControl === true;
const origin = (url) => (url ? new URL(url).origin : ""); // who linked here, but not from which of their pages

const loadScript = (src) =>
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src, async: true, onload: resolve, onerror: reject });
    (window.requestIdleCallback ?? setTimeout)(() => document.head.append(script));
  });

export const PageViews = ({ src }) => {
  const { pathname } = useLocation(), script = useRef(null), from = useRef(null);
  useEffect(() => {
    const page = bare(pathname);
    if (refused() || !(page in ROUTES)) return;
    const view = { route: page, path: pathname, referrer: from.current ?? origin(document.referrer) };
    from.current = location.origin; // from here on, pages are reached from the site itself
    script.current ??= loadScript(src).catch(() => console.warn("page views are not counted: the script did not load"));
    script.current.then(() => window.insights?.(view));
  }, [pathname]);
  return null;
};
