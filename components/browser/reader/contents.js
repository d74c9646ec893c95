// Marks the current section in the contents beside a long text: the last one whose heading has passed the upper part of the window.
import { addressedElement } from "$/components/browser/page";

const UPPER_PART = 0.3; // of the window's height

const markCurrent = () => {
  const links = [...document.querySelectorAll(".side-contents a[href^='#']")];
  const topOf = (link) => addressedElement(link.getAttribute("href"))?.getBoundingClientRect().top ?? Infinity;
  const passed = links.filter((link) => topOf(link) < innerHeight * UPPER_PART);
  const current = passed.at(-1) ?? links[0];
  for (const link of links) {
    if (link !== current) {
      link.removeAttribute("aria-current");
    } else if (!link.hasAttribute("aria-current")) {
      link.setAttribute("aria-current", "true");
      keepInView(link);
    }
  }
};

// Scrolls the contents, not the page.
const keepInView = (link) => {
  const list = link.closest(".side-contents");
  const { top, bottom } = link.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (list.scrollHeight > list.clientHeight && (top < frame.top || bottom > frame.bottom)) {
    list.scrollTop += top - frame.top - frame.height / 2;
  }
};

let scheduledFrame;
const scheduleMark = () => {
  scheduledFrame ??= requestAnimationFrame(() => {
    scheduledFrame = undefined;
    markCurrent();
  });
};

/** Marks the current section of this page, from now on. Called for each page with contents. */
export const startContents = () => {
  addEventListener("scroll", scheduleMark, { passive: true }); // the same listener is added only once
  markCurrent();
};
