// Keyboard shortcuts: j and k move along the list, Enter opens, "/" focuses the search, u goes back to the list. All pages work without
// this script. People who use speech input can switch the keys off, because spoken letters would trigger them. On wide screens, with a
// second column for notes, long texts are expanded.
const openTexts = () => document.querySelectorAll(".rest").forEach((details) => (details.open = true));
if (matchMedia("(min-width: 48rem)").matches) {
  openTexts();
}
addEventListener("beforeprint", openTexts);
const rows = [...document.querySelectorAll(".list a")];
const keys = {
  "j": () => rows[Math.min(rows.indexOf(document.activeElement) + 1, rows.length - 1)]?.focus(),
  "k": () => rows[Math.max(rows.indexOf(document.activeElement) - 1, 0)]?.focus(),
  "/": () => document.querySelector("[type=search]")?.select(),
  "u": () => document.querySelector("[data-key=u]")?.click(),
};

const OFF = "keys-off";
for (const box of document.querySelectorAll("[data-keys]")) {
  box.hidden = false;
  box.checked = !localStorage[OFF];
  box.addEventListener("change", () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")));
}

document.addEventListener("keydown", (event) => {
  if (localStorage[OFF]) {
    return;
  }
  const typing = event.target.closest("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys) || typing) {
    return;
  }
  event.preventDefault();
  keys[event.key]();
});
