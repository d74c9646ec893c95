// React Router's own scripts, on the fallback page alone: it refuses to write that page without them. Nobody is served it.
import { createElement, useContext } from "react";
import { Scripts, UNSAFE_FrameworkContext } from "react-router";

export const FallbackScripts = () => (useContext(UNSAFE_FrameworkContext)?.isSpaMode ? createElement(Scripts) : null);
