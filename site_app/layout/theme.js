// Inlined into the head of every page: sets the theme before the first paint, the visitor's choice, else that of the agency.
{
  const /** @type {string} */ theme = "{theme}";
  let dark = theme === "system" && matchMedia("(prefers-color-scheme:dark)").matches;
  try {
    if (localStorage.theme) {
      dark = localStorage.theme === "dark";
    }
  } catch {
    // the browser forbids storage
  }
  if (dark) {
    document.documentElement.classList.add("dark");
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", "{dark}"); // not on pages that @rx.page adds
  }
}
