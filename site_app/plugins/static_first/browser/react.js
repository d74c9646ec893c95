// Starts React Router as its inline scripts would, but from a file, so that the policy can forbid inline scripts.
import { ENTRY, ROOT } from "$/static_first/built";
import { undoForeignChanges } from "$/static_first/foreign_changes";
import { isRecorded } from "$/static_first/journal";
import { findReplacedTexts } from "$/static_first/replaced_texts";
import { keepTypedText } from "$/static_first/typed_text";

const NATIVE = "[commandfor], [popovertarget], summary"; // controls that the browser handles by itself
const PROBE = "static_first:probe"; // a key that is stored and removed at once, to see if there is room

/** Imports the modules in their order, the page's own module last, and starts React for this route. */
export const load = async (route, modules) => {
  const page = modules.at(-1);
  replaceUnusableStorage();
  seedToken();
  keepTypedText();
  // The key under which the scroll position is stored.
  if (!history.state?.key) {
    history.replaceState({ ...history.state, key: Math.random().toString(36).slice(2, 10) }, "");
  }
  window.__reactRouterContext = {
    basename: "/",
    future: { unstable_optimizeDeps: true },
    routeDiscovery: { mode: "initial" },
    ssr: false,
    isSpaMode: false,
    stream: new Response("[{\"_1\":2,\"_3\":-5,\"_4\":-5},\"loaderData\",{},\"actionData\",\"errors\"]\n").body, // no loader data
  };
  // Each module runs in its own task: together they would keep a slow phone from reacting to a touch.
  for (const href of modules) {
    await import(/* @vite-ignore */ href);
    await new Promise((resolve) => setTimeout(resolve));
  }
  const { routes } = window.__reactRouterManifest;
  routes[route] ??= withdrawnRoute(route, page);
  window.__reactRouterRouteModules = {
    root: await import(/* @vite-ignore */ ROOT),
    [route]: await import(/* @vite-ignore */ page),
  };
  undoForeignChanges();
  findReplacedTexts();
  const stopIgnoring = ignoreEvents();
  await import(/* @vite-ignore */ ENTRY).finally(stopIgnoring);
};

// Keeps from React the events that replay.js repeats, and presses on NATIVE controls until it has taken over the page: at a press it would
// take over all of it at once, and the page could not answer meanwhile. React adds its listeners to the document while its entry runs.
// Returns a function that ends the watch for such listeners.
const ignoreEvents = () => {
  const { addEventListener } = document;
  document.addEventListener = (type, listener, options) => {
    const ignoring = (event) => {
      if (!isRecorded(event) && (window.hydratedAt || !event.target.closest?.(NATIVE))) {
        listener.call(document, event);
      }
    };
    addEventListener.call(document, type, typeof listener === "function" ? ignoring : listener, options);
  };
  return () => {
    document.addEventListener = addEventListener;
  };
};

// Returns a manifest entry for a page that the manifest no longer lists: it was withdrawn while a visitor had it open.
const withdrawnRoute = (id, module) => ({
  id,
  parentId: "root",
  path: location.pathname.replace(/^\/|\/$/g, ""),
  index: true,
  hasDefaultExport: true,
  module,
  imports: [],
  css: [],
});

// Replaces storage that the browser forbids, or that is full, with one in memory, because using it would throw and break the page. It has
// what could be read, and the theme of the page, because Reflex's provider would otherwise replace a chosen theme with what it reads.
const replaceUnusableStorage = () => {
  const theme = document.documentElement.style.colorScheme;
  for (const name of ["localStorage", "sessionStorage"]) {
    let /** @type {[string, string][]} */ stored = [];
    try {
      stored = Object.entries(window[name]);
      window[name].setItem(PROBE, "");
      window[name].removeItem(PROBE);
    } catch {
      const memory = new Map(stored);
      if (theme) {
        memory.set("theme", theme);
      }
      const value = {
        isLostWithPage: true,
        getItem: (key) => memory.get(key) ?? null,
        setItem: (key, text) => memory.set(key, `${text}`),
        removeItem: (key) => memory.delete(key),
        clear: () => memory.clear(),
      };
      Object.defineProperty(window, name, { value });
    }
  }
};

// Creates the token of the visitor's socket, which works like a password, before Reflex would create one with Math.random.
const seedToken = () => {
  if (sessionStorage.getItem("token")) {
    return;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // crypto.randomUUID exists only on https and localhost
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  sessionStorage.setItem("token", hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"));
};
