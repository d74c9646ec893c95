// Inlined into the head of every page: sets the theme before the first paint, the visitor's choice, else that of the agency.
{
  const /** @type {string} */ theme = "{theme}";
  let chosen;
  try {
    chosen = localStorage.theme;
  } catch {
    // the browser forbids storage
  }
  if (chosen === "dark" || (theme === "system" && !chosen && matchMedia("(prefers-color-scheme:dark)").matches)) {
    document.documentElement.classList.add("dark");
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", "{dark}"); // not on pages that @rx.page adds
  }
}
