// Scrolls to the top of a new page, to the saved position on Back and Forward, and not at all when only the language changes.
import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { withoutLanguage } from "$/components/browser/locale";
import { SCROLL_POSITIONS_KEY, addressedElement, newHistoryKey, prefersReducedMotion } from "$/components/browser/page";

const MAX_POSITIONS = 50;
const RESTORE_DELAY_MS = 500; // after Back and Forward, as the client asks (R15)
const SCROLL_KEYS = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "];

const behavior = () => (prefersReducedMotion() ? "instant" : "smooth");
const readPositions = () => JSON.parse(sessionStorage.getItem(SCROLL_POSITIONS_KEY) ?? "{}");

/** Saves and restores scroll positions. Renders nothing. */
export const ScrollMemory = () => {
  const location = useLocation();
  const navigationType = useNavigationType();
  const shownLocation = useRef(location);
  const positions = useRef({}); // by the key of the history entry
  const restoreTimer = useRef(0); // 0: nothing is being restored
  useManualRestoration();
  useJumps(shownLocation);
  useSaving({ shownLocation, positions, restoreTimer });
  useRestoring({ location, navigationType, shownLocation, positions, restoreTimer });
  return null;
};

// Adds listeners to the window; returns a function that removes them.
const listen = (listeners, options = {}) => {
  const listening = new AbortController();
  for (const [type, listener] of Object.entries(listeners)) {
    addEventListener(type, listener, { passive: true, signal: listening.signal, ...options });
  }
  return () => listening.abort();
};

// Restores the position by script while the page lives; the browser restores it after a reload or on return from another site. WebKit notices
// neither change in time: a page from its back-forward cache returns at the top and is scrolled here; a page that is loaded again is scrolled
// by reader/entry.js.
const useManualRestoration = () => {
  useEffect(() => {
    let scrollOnLeave = 0;
    history.scrollRestoration = "manual";
    const onPageShow = ({ persisted }) => {
      history.scrollRestoration = "manual";
      if (persisted && scrollY !== scrollOnLeave) {
        scrollTo({ top: scrollOnLeave, behavior: "instant" });
      }
    };
    const onPageHide = () => {
      scrollOnLeave = scrollY;
      history.scrollRestoration = "auto";
    };
    return listen({ pageshow: onPageShow, pagehide: onPageHide });
  }, []);
};

// Gives the history entry of a link within the page a key. The browser follows such links: the new entry has no state yet, and React Router
// takes it for a Back.
const useJumps = (shownLocation) => {
  useEffect(() => {
    const onJump = () => {
      if (history.state || !window.location.hash) {
        return;
      }
      const key = newHistoryKey();
      history.replaceState({ key }, "");
      shownLocation.current = { ...shownLocation.current, key }; // the previous entry keeps its position
    };
    return listen({ popstate: onJump }, { capture: true });
  }, [shownLocation]);
};

// Saves the position of the shown entry whenever it changes, and all positions for the next document. A visitor who scrolls ends a restoration.
const useSaving = ({ shownLocation, positions, restoreTimer }) => {
  useEffect(() => {
    positions.current = readPositions();
    const savePosition = () => {
      if (!restoreTimer.current) {
        positions.current[shownLocation.current.key] = Math.round(scrollY);
      }
    };
    const onUserScroll = ({ type, key }) => {
      if (type !== "keydown" || SCROLL_KEYS.includes(key)) {
        stopRestoring(restoreTimer);
      }
    };
    const storePositions = () => {
      const newest = Object.entries(positions.current).slice(-MAX_POSITIONS);
      sessionStorage.setItem(SCROLL_POSITIONS_KEY, JSON.stringify(Object.fromEntries(newest)));
    };
    savePosition();
    return listen({
      scroll: savePosition,
      wheel: onUserScroll,
      touchmove: onUserScroll,
      pointerdown: onUserScroll,
      keydown: onUserScroll,
      pagehide: storePositions,
    });
  }, [shownLocation, positions, restoreTimer]);
};

// Scrolls after each change of the location.
const useRestoring = ({ location, navigationType, shownLocation, positions, restoreTimer }) => {
  useLayoutEffect(() => {
    const from = shownLocation.current;
    if (from === location) {
      return;
    }
    shownLocation.current = location;
    stopRestoring(restoreTimer);
    const isJumpWithinPage = navigationType === "POP" && from.key !== "default" && from.key === history.state?.key; // see useJumps
    if (isJumpWithinPage) {
      shownLocation.current = { ...location, key: from.key }; // the browser has already scrolled there
      return;
    }
    const samePage = withoutLanguage(from.pathname) === withoutLanguage(location.pathname);
    if (samePage && from.pathname !== location.pathname) {
      // Only the language changes. While the content is replaced the document is short for a moment, and Chromium scrolls up if it had the focus.
      positions.current[location.key] = positions.current[from.key] ?? 0;
      scrollTo({ top: positions.current[location.key], behavior: "instant" });
    } else if (navigationType === "POP") {
      restore(positions.current[location.key] ?? 0, restoreTimer);
    } else {
      scrollToStart(location.hash);
    }
  }, [location, navigationType, shownLocation, positions, restoreTimer]);
};

const stopRestoring = (restoreTimer) => {
  clearTimeout(restoreTimer.current);
  restoreTimer.current = 0;
};

// Scrolls to a saved position: smoothly after a delay, or at once if the visitor's device is set to show less movement.
const restore = (top, restoreTimer) => {
  if (behavior() === "instant") {
    scrollTo({ top, behavior: "instant" });
    return;
  }
  restoreTimer.current = setTimeout(() => {
    restoreTimer.current = 0;
    scrollTo({ top, behavior: "smooth" });
  }, RESTORE_DELAY_MS);
};

// Scrolls to the element that the address names, or to the top.
const scrollToStart = (hash) => {
  const target = addressedElement(hash);
  if (target) {
    target.scrollIntoView({ behavior: behavior() });
  } else {
    scrollTo({ top: 0, behavior: behavior() });
  }
};
