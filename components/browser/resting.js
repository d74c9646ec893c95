// Sections and a footer a screen and more out of sight rest, at their own height: what restyles the whole document, as a dialog does, passes them by.
import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "react-router";

const wake = ({ style }) => {
  style.contentVisibility = "visible"; // even where the first paint left it out
  style.containIntrinsicSize = "";
};
const rest = ({ style }, { height }) => {
  style.containIntrinsicSize = `auto ${height}px`;
  style.contentVisibility = "auto"; // found by a search in the page and by a screen reader all the same
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
      sections().forEach(wake); // their heights are others now
      inTime();
    };
    inTime();
    addEventListener("resize", resized);
    return () => {
      stop();
      removeEventListener("resize", resized);
    };
  }, [pathname]);
  return null;
};
