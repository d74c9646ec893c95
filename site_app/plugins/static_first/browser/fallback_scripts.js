// React Router's own scripts, only on its fallback page, which it refuses to write without them. That page is never served.
import { createElement, useContext } from "react";
import { Scripts, UNSAFE_FrameworkContext } from "react-router";

/** Returns the scripts on the fallback page, and nothing on any other page. */
export const FallbackScripts = () => (useContext(UNSAFE_FrameworkContext)?.isSpaMode ? createElement(Scripts) : null);
