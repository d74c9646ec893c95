// The layout of the page's language. English is always included; another language's layout loads with the first page in it, because a
// page's module registers its layout before the page is shown.
import { createElement } from "react";
import { useLocation } from "react-router";
import { localeOf } from "$/components/browser/locale";

const layouts = {};

/** Registers the layout of a language; called by each page's module. */
export const registerLayout = (id, Layout) => {
  layouts[id] = Layout;
};

/** Wraps the page in the layout of its language. */
export const InLayout = ({ english, children }) =>
  createElement(layouts[localeOf(useLocation().pathname)] ?? english, null, children);
