// Before the first paint: the theme that the visitor chose on the site and, until they choose, that of their system.
let dark = matchMedia("(prefers-color-scheme: dark)").matches;
try {
  if (localStorage.theme) {
    dark = localStorage.theme === "dark";
  }
} catch {}
if (dark) {
  document.documentElement.classList.add("dark");
}
