// A Vite plugin: keeps what React Router makes of each page's module, twice per build with Babel. A page that has not changed since an
// earlier build is taken from there.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const FOLDER = "kept_routes";
const PLUGIN = "react-router:route-exports";
const PAGES = join("app", "routes");
const TOOLS = ["node_modules/.package-lock.json", "react-router.config.js"]; // with other versions or options all is made anew

const digest = (...parts) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

const readText = (file) => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

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

/**
 * Returns React Router's plugins, the slow one of which keeps its results.
 * @param {any[]} plugins
 */
export const keepRoutes = (plugins) => {
  const plugin = plugins.find(({ name }) => name === PLUGIN);
  if (typeof plugin?.transform !== "function") {
    throw new Error(`${PLUGIN} is gone`);
  }
  mkdirSync(FOLDER, { recursive: true });
  const used = usedNames();
  const tools = digest(...TOOLS.map((file) => readText(file) ?? ""));
  const { transform } = plugin;
  plugin.transform = async function (code, id, options) {
    const module = relative(process.cwd(), id);
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
  return plugins;
};
