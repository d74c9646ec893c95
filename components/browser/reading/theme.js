// The switch between the light and the dark theme; the page's head sets a remembered one before the first paint.
import { clickedEarly, onPageShown } from "$/components/browser/page_events";

const page = document.documentElement;
const isDark = () => page.classList.contains("dark");

// The browser's own bar has the page's colour; the head comes anew with every page that React shows.
const paintBar = () => {
  const bar = document.querySelector("meta[name=theme-color]");
  if (bar) {
    bar.content = getComputedStyle(page).getPropertyValue("--color-background").trim();
  }
};

const toggle = () => {
  const theme = isDark() ? "light" : "dark";
  page.classList.remove("light", "dark");
  page.classList.add(theme);
  page.style.colorScheme = theme; // as Reflex's own provider does when it starts
  paintBar();
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // storage is forbidden: it holds for this page
  }
};

export const theme = () => {
  addEventListener("click", ({ target }) => target.closest?.("[data-theme-switch]") && toggle());
  if (clickedEarly("[data-theme-switch]")) {
    toggle();
  } // clicked before this script was there
  if (isDark()) {
    paintBar();
  }
  onPageShown(paintBar);
};
