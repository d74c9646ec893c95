// Stands in the head of every page: before the first paint, the theme that the visitor chose or, until they choose, that of their system.
{
  let dark = matchMedia("(prefers-color-scheme:dark)").matches;
  try {
    if (localStorage.theme) {
      dark = localStorage.theme === "dark";
    }
  } catch {
    // storage is forbidden
  }
  if (dark) {
    document.documentElement.classList.add("dark");
    document.querySelector("meta[name=theme-color]").content = "{dark}";
  }
}
