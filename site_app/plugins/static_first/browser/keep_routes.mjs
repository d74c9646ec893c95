// Vite plugins: spare the bundler work on pages that have not changed since an earlier build. A site has a module for every page; React
// Router compiles each one five times, and two of its plugins compare each with the names of all.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const FOLDER = "kept_routes"; // what React Router's slow plugin made of each page's module
const UNCHANGED = "unchanged_pages.json"; // the modules of pages whose HTML is kept: see kept_pages.py
const SLOW_PLUGIN = "react-router:route-exports"; // uses Babel
const SPLITTING_PLUGIN = "react-router:route-chunks-index"; // looks for exports that only loaders have
const APP = "app";
const PAGES = join(APP, "routes");
const LOCK = "node_modules/.package-lock.json"; // with other versions all is made anew
const EMPTY_PAGE = { code: "export default () => null;", map: null };

const digest = (...parts) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

const readText = (file) => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

const moduleOf = (id) => relative(process.cwd(), id);
const isPage = (id) => moduleOf(id).startsWith(PAGES);

// Removes at the end of a build what it did not use. Vite loads its configuration several times in one process.
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

// Keeps the results of the slow plugin, which does nothing outside of the app's folder.
const keepResults = (plugin) => {
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
    const name = digest(tools, module, !!options?.ssr, code);
    const file = join(FOLDER, name);
    used.add(name);
    const kept = readText(file);
    if (kept !== undefined) {
      return { code: kept, map: null };
    }
    const result = await transform.call(this, code, id, options);
    if (!result) {
      return result;
    }
    const unfinishedFile = `${file}.${process.pid}`; // an interrupted build must not leave half a file under the final name
    writeFileSync(unfinishedFile, result.code);
    renameSync(unfinishedFile, file);
    return { code: result.code, map: null };
  };
};

// Reflex's pages have no loaders, and other modules are no routes.
const onlyRoot = (plugin) => {
  const { transform } = plugin;
  plugin.transform = function (code, id, options) {
    return moduleOf(id).startsWith(APP) && !isPage(id) ? transform.call(this, code, id, options) : null;
  };
};

// Replaces in the code that writes pages as HTML those that are not written. Their module's text does not matter there.
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

// React Router also compiles each page with a development server, to learn the names of its exports. Every page has the same.
const exportsOnly = () => ({
  name: "exports-of-pages",
  apply: "serve",
  enforce: "pre",
  transform: (code, id) => (isPage(id) && code.match(/^export .*/gm)?.join() === "export default Component;" ? EMPTY_PAGE : null),
});

/**
 * Returns React Router's plugins, sparing them work, and further ones.
 * @param {any[]} plugins
 */
export const keepRoutes = (plugins) => {
  for (const [name, spare] of Object.entries({ [SLOW_PLUGIN]: keepResults, [SPLITTING_PLUGIN]: onlyRoot })) {
    const plugin = plugins.find((plugin) => plugin.name === name);
    if (typeof plugin?.transform !== "function") {
      throw new Error(`${name} is gone`);
    }
    spare(plugin);
  }
  return [...plugins, leaveOutUnchanged(), exportsOnly()];
};
