// Sets the theme before the first paint: the one that the visitor chose on the site, else that of the agency (SITE_THEME). The switch in
// the head changes it, here and on the site.
{
  const page = document.documentElement;
  let dark = page.dataset.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches;
  try {
    if (localStorage.theme) {
      dark = localStorage.theme === "dark";
    }
  } catch {
    // the browser forbids storage
  }
  page.classList.toggle("dark", dark);
  addEventListener("click", ({ target }) => {
    if (!target.closest("[data-theme-switch]")) {
      return;
    }
    dark = page.classList.toggle("dark");
    try {
      localStorage.theme = dark ? "dark" : "light";
    } catch {
      // the browser forbids storage
    }
  });
}
