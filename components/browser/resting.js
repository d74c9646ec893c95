// Sections a screen and more out of sight rest, at their own height: what restyles the whole document, as a dialog does, passes them by.
import { useEffect } from "react";
import { useLocation } from "react-router";

const wake = ({ style }) => (style.contentVisibility = style.containIntrinsicSize = "");
const rest = ({ style }, { height }) => {
  style.containIntrinsicSize = `auto ${height}px`;
  style.contentVisibility = "auto"; // found by a search in the page and by a screen reader all the same
};

export const Resting = () => {
  const { pathname } = useLocation();
  useEffect(() => {
    const follow = (seen) => seen.forEach((one) => (one.isIntersecting ? wake(one.target) : rest(one.target, one.boundingClientRect)));
    const observer = new IntersectionObserver(follow, { rootMargin: "100% 0px" });
    const sections = () => document.querySelectorAll("main > section");
    let waiting, width = innerWidth;
    const inTime = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => (window.requestIdleCallback ?? setTimeout)(() => sections().forEach((one) => observer.observe(one))), 500);
    };
    const resized = () => {
      if (innerWidth === width) return; // only the browser's own bar came or went
      width = innerWidth;
      observer.disconnect();
      sections().forEach(wake); // their heights are others now
      inTime();
    };
    inTime();
    addEventListener("resize", resized);
    return () => {
      clearTimeout(waiting);
      observer.disconnect();
      removeEventListener("resize", resized);
    };
  }, [pathname]);
  return null;
};
