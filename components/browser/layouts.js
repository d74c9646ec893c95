// The layout of the page's language. English is always there; another language's comes with the first page that is in it, for a
// page's module keeps its layout before the page is shown.
import { createElement } from "react";
import { useLocation } from "react-router";
import { localeOf } from "$/components/browser/locale";

const layouts = {};

export const keepLayout = (id, Layout) => {
  layouts[id] = Layout;
};

export const InLayout = ({ english, children }) =>
  createElement(layouts[localeOf(useLocation().pathname)] ?? english, null, children);
