// React Router's own start. It does what its inline scripts do, from a file, so that the policy can forbid inline scripts.
import { ROOT } from "$/static_first/built";

export const load = async (route, needed) => {
  keepStorageSafe();
  seedToken();
  if (!history.state?.key) {
    history.replaceState({ ...history.state, key: Math.random().toString(36).slice(2, 10) }, "");
  } // by which its place is remembered
  window.__reactRouterContext = {
    basename: "/",
    future: { unstable_optimizeDeps: true },
    routeDiscovery: { mode: "initial" },
    ssr: false,
    isSpaMode: false,
    stream: new Response("[{\"_1\":2,\"_3\":-5,\"_4\":-5},\"loaderData\",{},\"actionData\",\"errors\"]\n").body, // no loader data
  };
  // A task of its own for each: together they would keep a slow phone from answering a touch.
  const loaded = [];
  for (const href of needed.slice(0, -1)) {
    loaded.push(await import(/* @vite-ignore */ href));
    await new Promise((resolve) => setTimeout(resolve));
  }
  window.__reactRouterRouteModules = { root: await import(/* @vite-ignore */ ROOT), [route]: loaded.at(-1) };
  await import(/* @vite-ignore */ needed.at(-1));
};

// Where a browser forbids storage, touching it is an error that would take the page down: it gets one that forgets. A theme that was chosen
// stays on the page: Reflex's own provider would set what it reads.
const keepStorageSafe = () => {
  const theme = document.documentElement.style.colorScheme;
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      window[name].length;
    } catch {
      const kept = new Map(theme ? [["theme", theme]] : []);
      const value = {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, text) => kept.set(key, `${text}`),
        removeItem: (key) => kept.delete(key),
        clear: () => kept.clear(),
      };
      Object.defineProperty(window, name, { value });
    }
  }
};

// The token of a visitor's socket is as good as a password: made here, before Reflex would make one with Math.random.
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
