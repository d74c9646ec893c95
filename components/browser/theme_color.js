// Keeps the browser's own bar in the page's colour; the page's head comes anew with every page.
import { useContext, useEffect } from "react";
import { useLocation } from "react-router";
import { ColorModeContext } from "$/utils/context";

export const ThemeColor = ({ colors }) => {
  const { resolvedColorMode: mode } = useContext(ColorModeContext), { key } = useLocation();
  useEffect(() => {
    const meta = document.querySelector("meta[name=theme-color]");
    if (document.documentElement.classList.contains(mode) && meta) meta.content = colors[mode];
  }, [mode, key]);
  return null;
};
