// Counts page views with a script from our own origin, loaded when the page is idle. Does not count visitors who opt out of tracking.
import { PAGE_VIEWS } from "$/build_parts/configuration";
import { withoutLanguage } from "$/components/browser/locale";
import { onPageShown } from "$/components/browser/page_events";
import { isPrivate } from "$/components/browser/reader/privacy";

const origin = (url) => (url ? new URL(url).origin : ""); // only the origin of the linking page, not its path
let script;

const loadScript = () =>
  new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement("script"), {
      src: PAGE_VIEWS,
      async: true,
      onload: resolve,
      onerror: reject,
    });
    (window.requestIdleCallback ?? setTimeout)(() => document.head.append(element));
  });

const count = (referrer) => {
  const path = location.pathname;
  // Without a canonical link the address is unknown, and about to be redirected.
  if (isPrivate() || !document.querySelector("link[rel=canonical]")) {
    return;
  }
  script ??= loadScript().catch(() => console.warn("page views are not counted: the script did not load"));
  script.then(() => window.insights?.({ route: withoutLanguage(path), path, referrer }));
};

/** Counts this page view, and each further page that React shows. */
export const startPageViews = () => {
  count(origin(document.referrer));
  onPageShown(({ from, pathname }) => from !== pathname && count(location.origin));
};
