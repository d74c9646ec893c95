// Loads React when the page is idle or first touched: what it needs until then is in its HTML.
// It does what React Router's own inline scripts do, from a file, so that the policy can forbid inline scripts.
// UPPER_CASE names are filled in by the build.
const { route, modules } = document.querySelector("script[data-boot]").dataset;
let started;

const boot = () => (started ??= load());

async function load() {
  keepStorageSafe();
  seedToken();
  window.__reactRouterContext = {
    basename: "/", future: FUTURE, routeDiscovery: { mode: "initial" }, ssr: false, isSpaMode: false,
    stream: new Response('[{"_1":2,"_3":-5,"_4":-5},"loaderData",{},"actionData","errors"]\n').body, // no loader data
  };
  const own = modules.split(" "); // the page's own comes last
  for (const href of [...CORE, MANIFEST, ROOT, ...own, ENTRY]) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
  for (const href of [...CORE, MANIFEST, ROOT, ...own]) {
    await import(href);
    await breath();
  }
  window.__reactRouterRouteModules = { root: await import(ROOT), [route]: await import(own.at(-1)) };
  await import(ENTRY);
}

// A task of its own for each: together they would keep a slow phone from answering a touch.
const breath = () => new Promise((resolve) => setTimeout(resolve));

// Where a browser forbids storage, touching it is an error that would take the page down: it gets one that forgets.
function keepStorageSafe() {
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      window[name].length;
    } catch {
      const kept = new Map();
      const value = {
        getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, `${text}`),
        removeItem: (key) => kept.delete(key), clear: () => kept.clear(),
      };
      Object.defineProperty(window, name, { value });
    }
  }
}

// The token of a visitor's socket is as good as a password: made here, before Reflex would make one with Math.random.
function seedToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // crypto.randomUUID exists only on https and localhost
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const token = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  if (!sessionStorage.getItem("token")) sessionStorage.setItem("token", token);
}

// The page holds the style of what it shows. The rest is for what may come: other pages, the content of dialogs, messages; they ask
// for it, and the first touch does. Without it the page still works.
let styled;
const wholeStyle = () => (styled ??= new Promise((resolve) => {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: SHEET, onload: resolve, onerror: resolve });
  document.head.append(link);
}));
window.wholeStyle = wholeStyle;

// A click on what only React can answer is held until React is there. Should it never come, a link is followed all the same.
const held = new Set();
const invokes = "commandForElement" in HTMLButtonElement.prototype ? "" : ",[commandfor]";
const asks = (clicked) => clicked?.closest?.("[data-needs-react]" + invokes);
const hold = (event) => {
  const target = asks(event.target);
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // React, half there, would answer it as well
  held.add(target);
};
addEventListener("click", hold, true);
onclick = null;
const early = asks(window.early); // clicked between the first paint and this script: a link or a form has gone on by itself
if (early?.type === "button") held.add(early);
addEventListener("hydrated", () => {
  removeEventListener("click", hold, true);
  for (const target of held) target.click();
  held.clear();
}, { once: true });
const giveUp = () => {
  removeEventListener("click", hold, true);
  for (const target of held) {
    if (target.href) location.assign(target.href);
    else if (target.form?.hasAttribute("action")) target.form.requestSubmit(target);
  }
};

const start = () => boot().catch((error) => { console.warn("interaction did not load", error); giveUp(); });
const once = { once: true, passive: true, capture: true };
window.touched = new Promise((touched) => {
  for (const touch of ["pointerdown", "mouseover", "touchstart", "keydown", "focusin"]) {
    for (const answer of [start, wholeStyle, touched]) addEventListener(touch, answer, once);
  }
});
if (WHEN === "idle") {
  // a second after load the page is painted for good, its face in: React takes nothing from it any more
  const idle = () => setTimeout(() => (window.requestIdleCallback ?? setTimeout)(start, { timeout: 4000 }), 1000);
  document.readyState === "complete" ? idle() : addEventListener("load", idle, once);
}
const asked = new URLSearchParams(location.search).get("open");
if (asked) {
  const open = () => {
    const dialog = document.querySelector(`dialog[data-name="${CSS.escape(asked)}"]`);
    if (dialog?.showModal && !dialog.open) dialog.showModal();
    start();
  };
  document.readyState === "loading" ? addEventListener("DOMContentLoaded", open) : open();
}
