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

const KEYS_OFF_KEY = "keys-off"; // in localStorage
let areKeysOff = false; // for this page alone where the browser forbids storage
const readKeysOff = () => {
  try {
    areKeysOff = Boolean(localStorage.getItem(KEYS_OFF_KEY));
  } catch {
    // the browser forbids storage
  }
};
const switchKeys = (isOn) => {
  areKeysOff = !isOn;
  try {
    if (isOn) {
      localStorage.removeItem(KEYS_OFF_KEY);
    } else {
      localStorage.setItem(KEYS_OFF_KEY, "1");
    }
  } catch {
    // the browser forbids storage
  }
};

readKeysOff();
const keysLine = document.querySelector(".keys");
if (keysLine) {
  const box = keysLine.querySelector("input");
  keysLine.hidden = false;
  box.checked = !areKeysOff;
  box.addEventListener("change", () => switchKeys(box.checked));
}

// While a build is active, the list of texts follows its progress. Replaces only what has changed and never what has the focus.
const PROGRESS_INTERVAL_MS = 5000;
const PROGRESS_PARTS = "[data-progress], .texts .badge, .texts .tongues";
const isBuildActive = () => document.querySelector("[data-progress] [data-active]") !== null;

async function showProgress() {
  try {
    const response = await fetch(location.href);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (!page.querySelector("[data-progress]")) {
      return; // the session has ended
    }
    const [newParts, parts] = [page, document].map((root) => [...root.querySelectorAll(PROGRESS_PARTS)]);
    if (newParts.length === parts.length) {
      parts.forEach((part, index) => replaceChanged(part, newParts[index]));
    }
  } catch {
    // the next round tries again
  }
  if (isBuildActive()) {
    setTimeout(showProgress, PROGRESS_INTERVAL_MS);
  } else {
    document.querySelector("[data-message]")?.remove(); // says that the build is active
  }
}

// Keeps the element, because screen readers read out only what changes inside of a live region.
function replaceChanged(part, newPart) {
  if (part.textContent !== newPart.textContent && !part.contains(document.activeElement)) {
    part.className = newPart.className;
    part.replaceChildren(...newPart.childNodes);
  }
}

if (isBuildActive()) {
  setTimeout(showProgress, PROGRESS_INTERVAL_MS);
}

document.addEventListener("keydown", (event) => {
  readKeysOff(); // another tab may have switched them
  if (areKeysOff) {
    return;
  }
  const isTyping = event.target.closest("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys) || isTyping) {
    return;
  }
  event.preventDefault();
  keys[event.key]();
});
