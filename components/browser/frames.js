// The frame of the page's language. English is always there; another language's comes with the first page that is in it, for a
// page's module keeps its frame before the page is shown.
import { createElement } from "react";
import { useLocation } from "react-router";
import { localeOf } from "$/components/browser/locale";

const kept = {};

export const keepFrame = (id, Frame) => {
  kept[id] = Frame;
};

export const Framed = ({ english, children }) => createElement(kept[localeOf(useLocation().pathname)] ?? english, null, children);
