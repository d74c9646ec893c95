// Menus and answers (<details>) and the drawer (a popover). Menus and drawer close where the browser does not close them: on a click or a
// focus elsewhere, on Escape, and when a link in them is followed. While the drawer is open, the page that it covers is inert: no Tab
// leads there.
import { addressed, onPageShown } from "$/components/browser/page_events";

const OPEN = "details.menu[open]";
const DRAWER = ".drawer";
const openDrawers = () => (CSS.supports("selector(:popover-open)") ? document.querySelectorAll(`${DRAWER}:popover-open`) : []); // else unknown

const closeMenus = (except) => {
  for (const menu of document.querySelectorAll(OPEN)) {
    if (!menu.contains(except)) {
      menu.open = false;
    }
  }
};
const escape = (event) => {
  const menu = event.key === "Escape" && document.querySelector(OPEN);
  if (!menu) {
    return;
  }
  menu.open = false;
  if (menu.contains(document.activeElement)) {
    menu.querySelector("summary").focus();
  }
};
const follow = ({ target }) => {
  const link = target.closest?.("a[href]");
  const isHere = link?.hash && link.pathname === location.pathname && link.origin === location.origin;
  isHere ? closeAll() : closeMenus(target);
};

let covered = [];
// Everything beside the drawer and beside what it stands in; what lies above all others, such as a dialog, is not covered.
const cover = (drawer) => {
  for (let part = drawer; part !== document.body; part = part.parentElement) {
    covered.push(
      ...[...part.parentElement.children].filter(
        (element) => element !== part && !element.inert && !element.matches("dialog, [popover], script"),
      ),
    );
  }
  for (const element of covered) {
    element.inert = true;
  }
};
const uncover = () => {
  for (const element of covered) {
    element.inert = false;
  }
  covered = [];
};
const closeAll = () => {
  closeMenus(null);
  for (const drawer of openDrawers()) {
    drawer.hidePopover();
  }
  uncover(); // it may have gone with its page, and then says nothing
};
/** @param {ToggleEvent} event */
const toggled = ({ target, type, newState }) => {
  if (!target.matches(DRAWER)) {
    return;
  }
  if (newState === "closed") {
    uncover(); // before the focus returns
  } else if (type === "toggle" && !covered.length) {
    cover(target); // after it has come
  }
};

export const menus = () => {
  const [early] = openDrawers(); // opened before this script was there
  if (early) {
    cover(early);
  }
  for (const name of ["beforetoggle", "toggle"]) {
    addEventListener(name, toggled, true);
  }
  addEventListener("click", follow);
  addEventListener("focusin", ({ target }) => closeMenus(target));
  addEventListener("keydown", escape);
  onPageShown(closeAll);
};

// A link to a question opens its answer.
const openAnswer = () => {
  const question = /** @type {HTMLDetailsElement} */ (addressed()?.closest("details:not(.menu)"));
  if (!question || question.open) {
    return;
  }
  question.open = true; // which closes another of its group, perhaps one above it
  question.scrollIntoView();
};

export const answers = () => {
  openAnswer();
  addEventListener("hashchange", openAnswer);
  addEventListener(
    "click",
    ({ target }) => target.closest?.("a")?.hash === location.hash && location.hash && setTimeout(openAnswer),
  );
  onPageShown(openAnswer);
};
