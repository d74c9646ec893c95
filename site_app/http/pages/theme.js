// Before the first paint: the theme that the visitor chose on the site. A browser that forbids storage shows the light one.
try {
  if (localStorage.theme === "dark") document.documentElement.classList.add("dark");
} catch {}
