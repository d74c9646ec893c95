// Scrolls to the top of a new page, to the saved position on Back and Forward, and not at all when only the language changes.
import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { bare } from "$/components/browser/locale";
import { PLACES, addressed, newKey } from "$/components/browser/page_events";

const MOST_PLACES = 50;
const RESTORE_DELAY = 500; // milliseconds
const KEYS = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "];

const behavior = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth");
const saved = () => JSON.parse(sessionStorage.getItem(PLACES) ?? "{}");

export const ScrollMemory = () => {
  const location = useLocation();
  const kind = useNavigationType();
  const before = useRef(location);
  const places = useRef({});
  const waiting = useRef(0);

  useEffect(() => {
    places.current = saved();
    const note = () => {
      if (!waiting.current) {
        places.current[before.current.key] = Math.round(scrollY);
      }
    };
    const giveUp = (event) => {
      if (event.type === "keydown" && !KEYS.includes(event.key)) {
        return;
      }
      clearTimeout(waiting.current);
      waiting.current = 0;
    };
    // The browser follows links within the page: the new history entry has no state yet, and React Router takes it for a Back.
    const jumped = () => {
      if (history.state || !window.location.hash) {
        return;
      }
      const key = newKey();
      history.replaceState({ key }, "");
      before.current = { ...before.current, key }; // the previous entry keeps its position
    };
    // Manual restoration while the page lives; the browser restores the position after a reload or on return from another site.
    // WebKit notices neither change in time: a page from its back-forward cache returns at the top and is scrolled here; a page that
    // is loaded again is scrolled by reading/entry.js.
    let scrollOnLeave = 0;
    const live = (event) => {
      history.scrollRestoration = "manual";
      if (event?.persisted && scrollY !== scrollOnLeave) {
        scrollTo({ top: scrollOnLeave, behavior: "instant" });
      }
    };
    const leave = () => {
      scrollOnLeave = scrollY;
      history.scrollRestoration = "auto";
      sessionStorage.setItem(PLACES, JSON.stringify(Object.fromEntries(Object.entries(places.current).slice(-MOST_PLACES))));
    };
    live();
    note();
    const listeners = {
      scroll: note,
      wheel: giveUp,
      touchmove: giveUp,
      pointerdown: giveUp,
      keydown: giveUp,
      pagehide: leave,
      pageshow: live,
    };
    for (const [name, listener] of Object.entries(listeners)) {
      addEventListener(name, listener, { passive: true });
    }
    addEventListener("popstate", jumped, true);
    return () => {
      removeEventListener("popstate", jumped, true);
      for (const [name, listener] of Object.entries(listeners)) {
        removeEventListener(name, listener);
      }
    };
  }, []);

  useLayoutEffect(() => {
    const from = before.current;
    if (from === location) {
      return;
    }
    before.current = location;
    clearTimeout(waiting.current);
    waiting.current = 0;
    if (kind === "POP" && from.key !== "default" && from.key === history.state?.key) {
      before.current = { ...location, key: from.key }; // the browser has already scrolled there
      return;
    }
    const samePage = bare(from.pathname) === bare(location.pathname);
    if (samePage && from.pathname !== location.pathname) {
      // Only the language changes. While the content is replaced the document is short for a moment, and Chromium scrolls up if it had the focus.
      places.current[location.key] = places.current[from.key] ?? 0;
      scrollTo({ top: places.current[location.key], behavior: "instant" });
      return;
    }
    if (kind === "POP") {
      return void restore(places.current[location.key] ?? 0);
    } // void, because scrollTo may return a promise, which is not a cleanup function
    const target = addressed(location.hash);
    if (target) {
      target.scrollIntoView({ behavior: behavior() });
    } else {
      scrollTo({ top: 0, behavior: behavior() });
    }
  }, [location]);

  const restore = (top) => {
    if (behavior() === "instant") {
      return scrollTo({ top, behavior: "instant" });
    }
    waiting.current = setTimeout(() => {
      waiting.current = 0;
      scrollTo({ top, behavior: "smooth" });
    }, RESTORE_DELAY);
  };
  return null;
};
