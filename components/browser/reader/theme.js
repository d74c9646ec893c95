// Switches between the light and the dark theme; a script in the page's head sets a stored theme before the first paint.
import { onPageShown } from "$/components/browser/page_events";
import { clickedEarly } from "$/static_first/early";

const page = document.documentElement;
const isDark = () => page.classList.contains("dark");

// Gives the browser's bar the page's colour; React rewrites the head with every page.
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
  page.style.colorScheme = theme; // as Reflex's own provider does at its start
  paintBar();
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // the browser forbids storage, so the theme applies only to this page
  }
};

/** Handles the theme switch from now on. */
export const startTheme = () => {
  addEventListener("click", ({ target }) => target.closest?.("[data-theme-switch]") && toggle());
  // The switch was clicked before this script ran.
  if (clickedEarly("[data-theme-switch]")) {
    toggle();
  }
  if (isDark()) {
    paintBar();
  }
  onPageShown(paintBar);
};
