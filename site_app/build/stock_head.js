// Stands in for <Scripts/> and the stylesheet link. On a page rendered at build time it is nothing: the style is inlined and the
// boot script added after the build. On the fallback page, which nobody is served, it is the stock; that keeps the style in the build.
// The fallback is rendered at build time too, so the browser's part of the build leaves <Scripts/> out.
import { createElement, Fragment, useContext } from "react";
import { Scripts, UNSAFE_FrameworkContext } from "react-router";

const Stock = ({ css }) =>
  useContext(UNSAFE_FrameworkContext)?.isSpaMode
    ? createElement(Fragment, null, createElement("link", { rel: "stylesheet", href: css }), createElement(Scripts))
    : null;

export const StockHead = import.meta.env.SSR ? Stock : () => null;
