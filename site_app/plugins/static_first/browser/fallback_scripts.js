// React Router's own scripts, only on its fallback page, which it refuses to write without them. That page is never served.
import { createElement, useContext } from "react";
import { Scripts, UNSAFE_FrameworkContext } from "react-router";

export const FallbackScripts = () => (useContext(UNSAFE_FrameworkContext)?.isSpaMode ? createElement(Scripts) : null);
