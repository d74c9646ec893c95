// What a full page load would do by itself: moves the focus to the new page's h1, and has its title read out.
import { createElement, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { bare } from "$/components/browser/locale";

const focus = (element) => {
  if (!element) return;
  if (!element.matches("a, button, summary")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
};
const visible = (selector) => [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());

export const PageChange = () => {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  const [title, setTitle] = useState("");

  useEffect(() => {
    const from = before.current;
    if (from === pathname) return;
    before.current = pathname;
    setTitle(document.title);
    const dialog = document.querySelector("dialog[open]");
    if (dialog) return void (document.activeElement === document.body && focus(dialog.querySelector("h2")));
    if (bare(from) !== bare(pathname)) focus(document.querySelector("main h1"));
    // the menu that was used has been exchanged for one in the new language
    else if (document.activeElement === document.body) focus(visible("[data-language-menu]"));
  }, [pathname]);
  return createElement("p", { role: "status", className: "sr-only" }, title);
};
