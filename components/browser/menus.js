// Closes the menus (<details>) and the drawer (a popover) where the browser does not: on a click or a focus elsewhere, on Escape,
// and when the page changes.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

const OPEN = "details.menu[open]";

const closeMenus = (except) => {
  for (const menu of document.querySelectorAll(OPEN)) if (!menu.contains(except)) menu.open = false;
};

export const Menus = () => {
  const location = useLocation(), before = useRef(location);
  useEffect(() => {
    if (before.current === location) return; // a menu that was opened before React came stays open
    before.current = location; // its key is the same for every link within a page
    closeMenus(null);
    for (const drawer of document.querySelectorAll("[popover]:popover-open")) drawer.hidePopover();
  }, [location]);

  useEffect(() => {
    const elsewhere = ({ target }) => closeMenus(target);
    const escape = (event) => {
      const menu = event.key === "Escape" && document.querySelector(OPEN);
      if (!menu) return;
      menu.open = false;
      if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    };
    addEventListener("click", elsewhere);
    addEventListener("focusin", elsewhere);
    addEventListener("keydown", escape);
    return () => {
      removeEventListener("click", elsewhere);
      removeEventListener("focusin", elsewhere);
      removeEventListener("keydown", escape);
    };
  }, []);
  return null;
};
