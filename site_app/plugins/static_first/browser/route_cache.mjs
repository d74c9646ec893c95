// Vite plugins: spare the bundler work on pages that have not changed since an earlier build. A site has a module for every page; React
// Router compiles each one five times, and two of its plugins compare each with the names of all.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const FOLDER = "cached_routes"; // the results of React Router's slow plugin for the modules of pages
const UNCHANGED = "unchanged_pages.json"; // the modules of pages whose HTML is cached: see page_cache.py
const SLOW_PLUGIN = "react-router:route-exports"; // uses Babel
const SPLITTING_PLUGIN = "react-router:route-chunks-index"; // looks for exports that only loaders have
const APP = "app";
const PAGES = join(APP, "routes");
const LOCK = "node_modules/.package-lock.json"; // other versions make the cache invalid
const EMPTY_PAGE = { code: "export default () => null;", map: null };

const digest = (...parts) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

const readText = (file) => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

// An interrupted build leaves the earlier file, never a part of the new one.
const replaceFile = (file, content) => {
  const unfinished = `${file}.${process.pid}.unfinished`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, file);
};

const moduleOf = (id) => relative(process.cwd(), id);
const isPage = (id) => moduleOf(id).startsWith(PAGES);

// Removes at the end of a build the files that it did not use. Vite loads its configuration several times in one process.
const usedNames = () => {
  if (!globalThis.usedRoutes) {
    globalThis.usedRoutes = new Set();
    process.once("exit", (code) => {
      const unusedNames = code === 0 ? readdirSync(FOLDER).filter((name) => !globalThis.usedRoutes.has(name)) : [];
      unusedNames.forEach((name) => rmSync(join(FOLDER, name)));
    });
  }
  return globalThis.usedRoutes;
};

// Caches the results of the slow plugin, which does nothing outside of the app's folder.
const cacheResults = (plugin) => {
  mkdirSync(FOLDER, { recursive: true });
  const used = usedNames();
  const tools = digest(readText(LOCK) ?? "");
  const { transform } = plugin;
  plugin.transform = async function (code, id, options) {
    const module = moduleOf(id);
    if (!module.startsWith(APP) || code === EMPTY_PAGE.code) {
      return null;
    }
    if (!module.startsWith(PAGES)) {
      return transform.call(this, code, id, options);
    }
    const name = digest(tools, module, Boolean(options?.ssr), code);
    const file = join(FOLDER, name);
    used.add(name);
    const cached = readText(file);
    if (cached !== undefined) {
      return { code: cached, map: null };
    }
    const result = await transform.call(this, code, id, options);
    if (!result) {
      return result;
    }
    replaceFile(file, result.code);
    return { code: result.code, map: null };
  };
};

// Runs the splitting plugin only for the root: no page of Reflex exports a loader, and other modules are no routes.
const onlyRoot = (plugin) => {
  const { transform } = plugin;
  plugin.transform = function (code, id, options) {
    return moduleOf(id).startsWith(APP) && !isPage(id) ? transform.call(this, code, id, options) : null;
  };
};

// Replaces, in the server build, the modules of cached pages with empty ones: their HTML is not rendered again.
const leaveOutUnchanged = () => {
  const unchanged = new Set(JSON.parse(readText(UNCHANGED) ?? "[]").map((name) => join(PAGES, name)));
  return {
    name: "unchanged-pages",
    apply: "build",
    enforce: "pre",
    load(id) {
      return this.environment.name === "ssr" && unchanged.has(moduleOf(id)) ? EMPTY_PAGE : null;
    },
  };
};

// React Router also compiles each page with a development server, only to read the names of its exports, which are the same for every page.
const exportsOnly = () => ({
  name: "exports-of-pages",
  apply: "serve",
  enforce: "pre",
  transform: (code, id) => (isPage(id) && code.match(/^export .*/gm)?.join() === "export default Component;" ? EMPTY_PAGE : null),
});

/**
 * Returns React Router's plugins, two of them with less work, and further ones.
 * @param {any[]} plugins
 */
export const cacheRoutes = (plugins) => {
  for (const [name, spare] of Object.entries({ [SLOW_PLUGIN]: cacheResults, [SPLITTING_PLUGIN]: onlyRoot })) {
    const plugin = plugins.find((plugin) => plugin.name === name);
    if (typeof plugin?.transform !== "function") {
      throw new Error(`${name} is gone`);
    }
    spare(plugin);
  }
  return [...plugins, leaveOutUnchanged(), exportsOnly()];
};
