// Menus and answers (<details>) and the drawer (a popover). Closes menus and the drawer where the browser does not: on a click or focus
// elsewhere, on Escape, and when a link in them is followed. While the drawer is open, the page behind it is inert, so that Tab does not
// reach it.
import { addressedElement } from "$/components/browser/page";
import { onPageShown } from "$/components/browser/page_events";

const OPEN_MENUS = "details.menu[open]";
const DRAWER = ".drawer";
const openDrawers = () => (CSS.supports("selector(:popover-open)") ? document.querySelectorAll(`${DRAWER}:popover-open`) : []); // [] if unsupported

const closeMenus = (except) => {
  for (const menu of document.querySelectorAll(OPEN_MENUS)) {
    if (!menu.contains(except)) {
      menu.open = false;
    }
  }
};
const onKeyDown = (event) => {
  const menu = event.key === "Escape" && document.querySelector(OPEN_MENUS);
  if (!menu) {
    return;
  }
  menu.open = false;
  if (menu.contains(document.activeElement)) {
    menu.querySelector("summary").focus();
  }
};
const onClick = ({ target }) => {
  const link = target.closest?.("a[href]");
  const isHere = link?.hash && link.pathname === location.pathname && link.origin === location.origin;
  if (isHere) {
    closeAll();
  } else {
    closeMenus(target);
  }
};

let inertElements = [];
// Makes inert all siblings of the drawer and of its ancestors, except elements of the top layer, such as dialogs.
const makePageInert = (drawer) => {
  for (let part = drawer; part !== document.body; part = part.parentElement) {
    inertElements.push(
      ...[...part.parentElement.children].filter(
        (element) => element !== part && !element.inert && !element.matches("dialog, [popover], script"),
      ),
    );
  }
  for (const element of inertElements) {
    element.inert = true;
  }
};
const restorePage = () => {
  for (const element of inertElements) {
    element.inert = false;
  }
  inertElements = [];
};
const closeAll = () => {
  closeMenus(null);
  for (const drawer of openDrawers()) {
    drawer.hidePopover();
  }
  restorePage(); // a drawer that was removed with its page fires no event
};
/** @param {ToggleEvent} event */
const onToggle = ({ target, type, newState }) => {
  if (!target.matches(DRAWER)) {
    return;
  }
  if (newState === "closed") {
    restorePage(); // before the focus returns
  } else if (type === "toggle" && !inertElements.length) {
    makePageInert(target); // after it has opened
  }
};

/** Starts the handling of menus and the drawer. */
export const startMenus = () => {
  const [openedEarly] = openDrawers(); // opened before this script ran
  if (openedEarly) {
    makePageInert(openedEarly);
  }
  for (const type of ["beforetoggle", "toggle"]) {
    addEventListener(type, onToggle, true);
  }
  addEventListener("click", onClick);
  addEventListener("focusin", ({ target }) => closeMenus(target));
  addEventListener("keydown", onKeyDown);
  onPageShown(closeAll);
};

// Opens the answer of the question that the address names.
const openAnswer = () => {
  const question = /** @type {HTMLDetailsElement} */ (addressedElement()?.closest("details:not(.menu)"));
  if (!question || question.open) {
    return;
  }
  question.open = true; // closes another one of its group, perhaps above it
  question.scrollIntoView();
};

/** Opens the answer that the address names, now and on each change of the address. */
export const startAnswers = () => {
  // A link to the address that is already shown changes no hash.
  const onLinkClick = ({ target }) => {
    const isSameHash = location.hash && target.closest?.("a")?.hash === location.hash;
    if (isSameHash) {
      setTimeout(openAnswer);
    }
  };
  openAnswer();
  addEventListener("hashchange", openAnswer);
  addEventListener("click", onLinkClick);
  onPageShown(openAnswer);
};
