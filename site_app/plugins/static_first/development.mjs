// A plugin for Vite's development server: proxies the backend, so that the site has a single address, and shows saved scripts and styles
// at once.
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";

const COPIED_FILES = /\.(css|json|jsx?)$/;
const SETTLE_MS = 30; // an editor empties a file before it writes it, and the watcher may report both as one change
const TYPES = { ".svg": "image/svg+xml" };

/**
 * Returns the plugin. `target` is the address of the backend.
 * @param {string} target
 * @param {object} options
 * @param {string[]} [options.proxiedPaths] patterns of paths that the backend answers
 * @param {string} [options.postedPath] the pattern of paths where the backend answers only form posts
 * @param {string} [options.pathAfterPost] the pattern of the paths shown after such a post
 * @param {string} [options.sources] the folder of scripts and styles
 * @param {Record<string, string>} [options.servedFolders] folders of packages, by address
 * @param {string} [options.report] the file in which the backend writes the error that kept it from starting
 */
export const development = (
  target,
  { proxiedPaths = [], postedPath = "", pathAfterPost = "", sources = "", servedFolders = {}, report = "" },
) => ({
  name: "development",
  config: () => ({
    server: {
      // The Host header is passed on unchanged: the backend compares a socket's origin with it.
      proxy: {
        ...Object.fromEntries(proxiedPaths.map((pattern) => [pattern, { target }])),
        ...(postedPath && {
          [postedPath]: {
            target,
            bypass: ({ method, url }) => (method === "POST" || new RegExp(pathAfterPost).test(url) ? undefined : url),
          },
        }),
        "^/_event(/|\\?|$)": { target, ws: true },
      },
    },
  }),
  configureServer(server) {
    const compiled = server.config.root;
    if (sources) {
      copyChanges(server, sources, join(compiled, basename(sources)));
    }
    if (report) {
      showFailures(server, join(compiled, report));
    }
    for (const [address, folder] of Object.entries(servedFolders)) {
      server.middlewares.use(address, serveFolder(resolve(compiled, folder)));
    }
  },
});

// Copies each file of the folder that is saved into the copy of the folder, which Vite watches: it then updates the open pages.
const copyChanges = (server, folder, copiedFolder) => {
  const copyToBuild = (file) => {
    if (!existsSync(file)) {
      return; // removed meanwhile, as by a change of branch: an exception in a timer would end the server
    }
    const copy = join(copiedFolder, relative(folder, file));
    const text = readFileSync(file, "utf8");
    if (existsSync(copy) && readFileSync(copy, "utf8") === text) {
      return;
    }
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, text);
  };
  const timers = new Map();
  const scheduleCopy = (file) => {
    if (!COPIED_FILES.test(file) || relative(folder, file).startsWith("..")) {
      return;
    }
    clearTimeout(timers.get(file));
    timers.set(file, setTimeout(copyToBuild, SETTLE_MS, file));
  };
  server.watcher.add(folder);
  server.watcher.on("add", scheduleCopy).on("change", scheduleCopy);
};

// Returns the handler of requests for the files of a folder.
const serveFolder = (folder) => (request, response, next) => {
  const file = resolve(folder, basename(request.url.split("?")[0]));
  const type = TYPES[file.slice(file.lastIndexOf("."))];
  if (!type || !existsSync(file)) {
    return next();
  }
  response.setHeader("Content-Type", type);
  createReadStream(file).pipe(response);
};

// Shows the error in Vite's overlay in all open pages, and in pages opened before the backend starts again.
const showFailures = (server, file) => {
  const show = (send) => {
    const failure = readFailure(file);
    if (failure) {
      send({ type: "error", err: failure });
    }
  };
  const showSoon = (changed) => {
    if (changed === file) {
      setTimeout(show, SETTLE_MS, (message) => server.ws.send(message));
    }
  };
  server.watcher.add(file);
  server.watcher.on("add", showSoon).on("change", showSoon);
  server.watcher.on("unlink", (removedFile) => {
    // An update closes the overlay.
    if (removedFile === file) {
      server.ws.send({ type: "update", updates: [] });
    }
  });
  server.ws.on("connection", (socket) => show((message) => socket.send(JSON.stringify(message))));
};

/**
 * Returns the error in the report, or null without a report or while it is being written: an exception in a timer would end the server.
 * @param {string} file
 */
const readFailure = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
};
