// Sets the theme before the first paint: the one that the visitor chose on the site, else that of the agency (SITE_THEME).
let dark = document.documentElement.dataset.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches;
try {
  if (localStorage.theme) {
    dark = localStorage.theme === "dark";
  }
} catch {}
if (dark) {
  document.documentElement.classList.add("dark");
}
