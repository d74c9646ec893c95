// Sections and a footer a screen and more out of sight rest, at their own height: what restyles the whole document, as a dialog does,
// passes them by. While a dialog is open all rest that are out of sight: behind it nothing scrolls, is found or read out anyway.
import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "react-router";
import { afterPaint } from "$/components/browser/after_paint";

const wake = ({ style }) => {
  style.contentVisibility = "visible"; // even where the first paint left it out
  style.containIntrinsicSize = "";
};
const rest = ({ style }, { height }, how = "auto") => {
  style.containIntrinsicSize = `auto ${height}px`;
  style.contentVisibility = how; // auto: found by a search in the page and by a screen reader all the same
};
const idle = (run) => (window.requestIdleCallback ?? setTimeout)(run);

const layOut = () => delete document.documentElement.dataset.fresh;

export const Resting = () => {
  const { pathname } = useLocation();
  useLayoutEffect(() => () => void layOut(), [pathname]); // the next page comes whole, before a place in it is gone to
  useEffect(() => {
    const follow = (seen) => seen.forEach((one) => (one.isIntersecting ? wake(one.target) : rest(one.target, one.boundingClientRect)));
    const observer = new IntersectionObserver(follow, { rootMargin: "100% 0px" });
    const sections = () => document.querySelectorAll("main > section, footer");
    const asleep = new Map(); // those that rest for a dialog, and what was said of them before
    const sleep = ({ target }) => {
      if (!target.closest?.("[command=show-modal]")) return;
      for (const [part, place] of [...sections()].map((one) => [one, one.getBoundingClientRect()])) {
        if ((place.bottom > 0 && place.top < innerHeight) || asleep.has(part)) continue;
        asleep.set(part, [part.style.contentVisibility, part.style.containIntrinsicSize]);
        rest(part, place, "hidden");
      }
      closed(); // should it not have opened
    };
    const closed = () => afterPaint(() => document.querySelector("dialog[open]") ?? getUp());
    const getUp = () => {
      for (const [{ style }, [visibility, size]] of asleep) Object.assign(style, { contentVisibility: visibility, containIntrinsicSize: size });
      asleep.clear();
    };
    let waiting, width = innerWidth, round = 0;
    // One after the other: those that the first paint left out are laid out only now.
    const watch = ([first, ...others], its) => idle(() => {
      if (its !== round) return;
      if (!first) return layOut();
      wake(first);
      observer.observe(first);
      watch(others, its);
    });
    const stop = () => {
      clearTimeout(waiting);
      round += 1;
      observer.disconnect();
    };
    const inTime = () => {
      stop();
      waiting = setTimeout(() => watch(sections(), round), 500);
    };
    const resized = () => {
      if (innerWidth === width) return; // only the browser's own bar came or went
      width = innerWidth;
      asleep.clear();
      sections().forEach(wake); // their heights are others now
      inTime();
    };
    inTime();
    const listeners = { resize: resized, click: sleep, close: closed };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener, true);
    return () => {
      stop();
      getUp();
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener, true);
    };
  }, [pathname]);
  return null;
};
