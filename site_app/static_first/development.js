// A plugin of Vite's development server: the pages' address is the only one there is, and a saved script or style is seen at once.
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { LOCALES } from "./configuration.js";

const OURS = /\.(css|json|jsx?)$/;
const OWN_STYLE = /^import "\.\/\w+\.css";\n/gm; // of parts that stand alone elsewhere, as in browser_files.py
const prefix = `(${LOCALES.map((one) => one.prefix).join("|")})`;
export const CALLS = String.raw`^/(v1\.0|insights/view|plain|calendar|readyz|ping|office)(/|\?|$)`;
export const PAGES = String.raw`^${prefix}/(book|meetings|confirm)(/|\?|$)`;
export const FORM = String.raw`^${prefix}/contact-us(/sent)?(\?|$)`; // as a browser without scripts sends it, and the answer to it

export const development = (target) => ({
  name: "development",
  config: () => ({
    server: {
      // The host of a request goes on as it came: the backend compares a socket's origin with it.
      proxy: {
        [CALLS]: { target },
        [PAGES]: { target },
        [FORM]: { target, bypass: ({ method, url }) => (method === "POST" || /\/sent(\?|$)/.test(url) ? undefined : url) },
        "^/_event(/|\\?|$)": { target, ws: true },
      },
    },
  }),
  configureServer(server) {
    const compiled = server.config.root;
    const sources = resolve(compiled, "../components");
    const take = (file) => {
      if (!OURS.test(file) || relative(sources, file).startsWith("..")) return;
      const copy = join(compiled, "components", relative(sources, file));
      const text = readFileSync(file, "utf8").replace(OWN_STYLE, "");
      if (existsSync(copy) && readFileSync(copy, "utf8") === text) return;
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, text); // Vite watches the copy, and updates the open pages
    };
    server.watcher.add(sources);
    server.watcher.on("add", take).on("change", take);
    server.middlewares.use("/flags", (request, response, next) => {
      const flag = join(compiled, "node_modules/country-flag-icons/3x2", basename(request.url.split("?")[0]));
      if (!flag.endsWith(".svg") || !existsSync(flag)) return next();
      response.setHeader("Content-Type", "image/svg+xml");
      createReadStream(flag).pipe(response);
    });
  },
});
