// Scrolls to the top of a new page, to the saved position on Back and Forward, and not at all when only the language changes.
import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { withoutLanguage } from "$/components/browser/locale";
import {
  SCROLL_POSITIONS_KEY,
  addressedElement,
  newHistoryKey,
  prefersReducedMotion,
} from "$/components/browser/page_events";

const MAX_POSITIONS = 50;
const RESTORE_DELAY_MS = 500;
const SCROLL_KEYS = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "];

const behavior = () => (prefersReducedMotion() ? "instant" : "smooth");
const readPositions = () => JSON.parse(sessionStorage.getItem(SCROLL_POSITIONS_KEY) ?? "{}");

/** Saves and restores scroll positions. Renders nothing. */
export const ScrollMemory = () => {
  const location = useLocation();
  const navigationType = useNavigationType();
  const previous = useRef(location);
  const positions = useRef({});
  const restoreTimer = useRef(0);

  useEffect(() => {
    positions.current = readPositions();
    const savePosition = () => {
      if (!restoreTimer.current) {
        positions.current[previous.current.key] = Math.round(scrollY);
      }
    };
    const onUserScroll = (event) => {
      if (event.type === "keydown" && !SCROLL_KEYS.includes(event.key)) {
        return;
      }
      clearTimeout(restoreTimer.current);
      restoreTimer.current = 0;
    };
    // The browser follows links within the page: the new history entry has no state yet, and React Router takes it for a Back.
    const onJump = () => {
      if (history.state || !window.location.hash) {
        return;
      }
      const key = newHistoryKey();
      history.replaceState({ key }, "");
      previous.current = { ...previous.current, key }; // the previous entry keeps its position
    };
    // Manual restoration while the page lives; the browser restores the position after a reload or on return from another site.
    // WebKit notices neither change in time: a page from its back-forward cache returns at the top and is scrolled here; a page that
    // is loaded again is scrolled by reader/entry.js.
    let scrollOnLeave = 0;
    const onPageShow = (event) => {
      history.scrollRestoration = "manual";
      if (event?.persisted && scrollY !== scrollOnLeave) {
        scrollTo({ top: scrollOnLeave, behavior: "instant" });
      }
    };
    const onPageHide = () => {
      scrollOnLeave = scrollY;
      history.scrollRestoration = "auto";
      const newest = Object.entries(positions.current).slice(-MAX_POSITIONS);
      sessionStorage.setItem(SCROLL_POSITIONS_KEY, JSON.stringify(Object.fromEntries(newest)));
    };
    onPageShow();
    savePosition();
    const listeners = {
      scroll: savePosition,
      wheel: onUserScroll,
      touchmove: onUserScroll,
      pointerdown: onUserScroll,
      keydown: onUserScroll,
      pagehide: onPageHide,
      pageshow: onPageShow,
    };
    const listening = new AbortController();
    const { signal } = listening;
    for (const [type, listener] of Object.entries(listeners)) {
      addEventListener(type, listener, { passive: true, signal });
    }
    addEventListener("popstate", onJump, { capture: true, signal });
    return () => listening.abort();
  }, []);

  useLayoutEffect(() => {
    const from = previous.current;
    if (from === location) {
      return;
    }
    previous.current = location;
    clearTimeout(restoreTimer.current);
    restoreTimer.current = 0;
    if (navigationType === "POP" && from.key !== "default" && from.key === history.state?.key) {
      previous.current = { ...location, key: from.key }; // the browser has already scrolled there
      return;
    }
    const samePage = withoutLanguage(from.pathname) === withoutLanguage(location.pathname);
    if (samePage && from.pathname !== location.pathname) {
      // Only the language changes. While the content is replaced the document is short for a moment, and Chromium scrolls up if it had the focus.
      positions.current[location.key] = positions.current[from.key] ?? 0;
      scrollTo({ top: positions.current[location.key], behavior: "instant" });
      return;
    }
    if (navigationType === "POP") {
      restore(positions.current[location.key] ?? 0);
      return;
    }
    const target = addressedElement(location.hash);
    if (target) {
      target.scrollIntoView({ behavior: behavior() });
    } else {
      scrollTo({ top: 0, behavior: behavior() });
    }
  }, [location, navigationType]);

  const restore = (top) => {
    if (behavior() === "instant") {
      scrollTo({ top, behavior: "instant" });
      return;
    }
    restoreTimer.current = setTimeout(() => {
      restoreTimer.current = 0;
      scrollTo({ top, behavior: "smooth" });
    }, RESTORE_DELAY_MS);
  };
  return null;
};
