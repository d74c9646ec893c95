// Keeps the browser's own bar in the page's colour; the page's head comes anew with every page.
import { useEffect } from "react";
import { useLocation } from "react-router";

export const ThemeColor = ({ colors }) => {
  const { key } = useLocation();
  useEffect(() => {
    const page = document.documentElement;
    const paint = () => {
      const meta = document.querySelector("meta[name=theme-color]");
      if (meta) meta.content = colors[page.classList.contains("dark") ? "dark" : "light"];
    };
    paint();
    const observer = new MutationObserver(paint);
    observer.observe(page, { attributeFilter: ["class"] });
    return () => observer.disconnect();
  }, [key]);
  return null;
};
