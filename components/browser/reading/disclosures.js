// Menus and answers (<details>) and the drawer (a popover). Closes menus and the drawer where the browser does not: on a click or focus
// elsewhere, on Escape, and when a link in them is followed. While the drawer is open, the page behind it is inert, so that Tab does not
// reach it.
import { addressed, onPageShown } from "$/components/browser/page_events";

const OPEN = "details.menu[open]";
const DRAWER = ".drawer";
const openDrawers = () => (CSS.supports("selector(:popover-open)") ? document.querySelectorAll(`${DRAWER}:popover-open`) : []); // [] if unsupported

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
// Makes inert all siblings of the drawer and of its ancestors, except elements of the top layer, such as dialogs.
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
  uncover(); // a drawer that was removed with its page fires no event
};
/** @param {ToggleEvent} event */
const toggled = ({ target, type, newState }) => {
  if (!target.matches(DRAWER)) {
    return;
  }
  if (newState === "closed") {
    uncover(); // before the focus returns
  } else if (type === "toggle" && !covered.length) {
    cover(target); // after it has opened
  }
};

export const menus = () => {
  const [early] = openDrawers(); // opened before this script ran
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

// Opens the answer of the question that the address names.
const openAnswer = () => {
  const question = /** @type {HTMLDetailsElement} */ (addressed()?.closest("details:not(.menu)"));
  if (!question || question.open) {
    return;
  }
  question.open = true; // closes another one of its group, perhaps above it
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
