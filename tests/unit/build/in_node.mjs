// Runs the stand-ins of the browser's build beside what they stand in for, and tells what it saw, as JSON.
// node in_node.mjs <room with build_parts, components and node_modules> <what Reflex compiled> <exchanged modules, as JSON>
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [room, compiled, exchangedText] = process.argv.slice(2);
const exchanged = Object.entries(JSON.parse(exchangedText)); // as vite.config.js has them: a name in quotes, or a pattern

const asFile = (name) => pathToFileURL(join(room, name) + (extname(name) ? "" : ".js")).href;
registerHooks({
  resolve: (name, context, next) => next(name.startsWith("$/") ? asFile(name.slice(2)) : name, context),
});
const ours = (file) => import(asFile(join("build_parts", file)));
const theirs = (file) => import(asFile(join("node_modules", file)));

const REACT_ROUTER = join("node_modules", "react-router", "dist", "production");
const IMPORT = /^\s*(?:import|export)\s+([^"';]*?)\s*from\s*["']([^"']+)["']/gm;

function* importsOf(directory) {
  for (const file of readdirSync(directory, { recursive: true }).filter((name) => /\.jsx?$/.test(name))) {
    for (const [, names, source] of readFileSync(join(directory, file), "utf8").matchAll(IMPORT)) {
      const [, byDefault, braced = ""] = names.match(/^(\w+)?\s*,?\s*(?:\{([^}]*)\})?/s);
      const named = braced
        .split(",")
        .map((one) => one.trim().split(/\s+as\s+/)[0])
        .filter(Boolean);
      yield { file: join(directory, file), source, names: [...(byDefault ? ["default"] : []), ...named] };
    }
  }
}

async function missing() {
  const found = [];
  const plugin = (await ours("stand_ins.js")).default();
  const alias = (source) =>
    exchanged.find(([find]) => (find.startsWith("/") ? RegExp(find.slice(1, -1)).test(source) : find === `"${source}"`))?.[1];
  const wanted = [...importsOf(join(room, REACT_ROUTER))].map((one) => ({
    ...one,
    own: basename(plugin.resolveId(one.source, one.file) ?? ""),
  }));
  const places = ["utils", "app", "app_components", "components"].map((name) => join(compiled, name));
  for (const place of [...places, join(room, "node_modules", "engine.io-client", "build", "esm")]) {
    wanted.push(...[...importsOf(place)].map((one) => ({ ...one, own: alias(one.source) })));
  }
  const used = {};
  for (const { own, names, file } of wanted.filter(({ own }) => own && own !== "reflex.js")) {
    const has = Object.keys(await ours(own));
    (used[own] ??= new Set()).add(...names);
    found.push(
      ...names
        .filter((name) => !has.includes(name))
        .map((name) => `${own} lacks ${name}, which ${file.replace(room, "")} imports`),
    );
  }
  return { missing: found, used: Object.keys(used).sort() };
}

const thrown = async (call) => {
  try {
    return (await call(), "nothing");
  } catch (error) {
    return error.message;
  }
};

async function fogOfWar() {
  const [own, real] = [await ours("fog_of_war.js"), await theirs("react-router/dist/production/lib/dom/ssr/fog-of-war.js")];
  const inFull = { mode: "initial" };
  return {
    enabled: [own.isFogOfWarEnabled(inFull, false), real.isFogOfWarEnabled(inFull, false)],
    patch: [
      own.getPatchRoutesOnNavigationFunction(),
      real.getPatchRoutesOnNavigationFunction(() => {}, {}, {}, false, inFull, false, "/"),
    ].map(String),
    manifest: own.getPartialManifest({ routes: { root: {} } }),
  };
}

async function instrumentation() {
  const own = await ours("instrumentation.js");
  const router = {};
  return {
    same: own.instrumentClientSideRouter(router, []) === router,
    updates: own.getRouteInstrumentationUpdates([], {}),
    receiver: String(own.consumeInstrumentationClientResultMetaReceiver()),
  };
}

async function merging() {
  const [own, real] = [await ours("mergician.js"), await theirs("mergician/dist/mergician.esm.js")];
  const cases = [
    [
      { a: 1, b: { c: 1, d: 2 } },
      { b: { c: 3 }, e: [1] },
    ],
    [{ a: { b: 1 } }, { a: 2 }],
    [{ a: 2 }, { a: { b: 1 } }],
    [{ a: [1, 2] }, { a: [3] }],
    [{ a: 1 }, { a: undefined, b: null }],
    [{}, {}],
  ];
  const plain = (merge) =>
    cases.map(([one, other]) =>
      JSON.stringify(merge(structuredClone(one), structuredClone(other)), (_, value) => value ?? String(value)),
    );
  const given = { a: { b: 1 } };
  own.mergician(given, { a: { b: 2 } });
  return { own: plain(own.mergician), real: plain(real.mergician), untouched: JSON.stringify(given) };
}

async function singleFetch() {
  const own = await ours("single_fetch.js");
  const strategy = own.getTurboStreamSingleFetchDataStrategy();
  const match = (id, called) => ({
    route: { id },
    shouldCallHandler: () => called,
    resolve: async (run) => (await run(async () => `data of ${id}`), { type: "data", result: id }),
  });
  const go = (method) =>
    strategy({
      request: { method },
      matches: [match("kept", false), match("page", true)],
      runClientMiddleware: (load) => load({ request: { method }, matches: [match("kept", false), match("page", true)] }),
    });
  return {
    got: await go("GET"),
    posted: await thrown(() => go("POST")),
    url: await thrown(() => own.singleFetchUrl("/")),
    decoded: await own.decodeViaTurboStream(),
  };
}

async function refusals() {
  const [{ uploadFiles }, { default: Cookies }] = [await ours("no_uploads.js"), await ours("no_cookies.js")];
  const cookies = new Cookies();
  return {
    upload: await thrown(() => uploadFiles()),
    get: await thrown(() => cookies.get("a")),
    set: await thrown(() => cookies.set("a", 1)),
    remove: await thrown(() => cookies.remove("a")),
  };
}

async function elements() {
  const [{ jsx }, { createElement }] = [await ours("jsx.js"), (await theirs("react/index.js")).default];
  const [{ transports }, { WS }] = [
    await ours("transports.js"),
    await theirs("engine.io-client/build/esm/transports/websocket.js"),
  ];
  return { jsx: jsx === createElement, transports: Object.keys(transports), websocket: transports.websocket === WS };
}

async function environments() {
  const at = async (origin, backend) => {
    globalThis.location = origin && { origin };
    if (!origin) delete globalThis.location;
    globalThis.document = { querySelector: () => (backend ? { dataset: { backend } } : null) };
    // each its own copy of both modules, as each page load has
    const parts = Object.fromEntries(
      ["components/browser/backend.js", "build_parts/environment.js"].map((name) => [
        name,
        readFileSync(join(room, name), "utf8"),
      ]),
    );
    const asModule = (text) => `data:text/javascript,${encodeURIComponent(text + `\n// ${origin} ${backend}`)}`;
    const backendAt = asModule(parts["components/browser/backend.js"]);
    const read = (await import(asModule(parts["build_parts/environment.js"].replace("$/components/browser/backend", backendAt))))
      .default;
    delete globalThis.document;
    delete globalThis.location;
    return read;
  };
  return {
    beside: await at("https://www.example.com"),
    elsewhere: await at("https://www.example.com", "https://api.example.com"),
    built: await at(),
  };
}

async function exchangedModules() {
  const plugin = (await ours("stand_ins.js")).default();
  const from = (importer) => basename(plugin.resolveId("./single-fetch.js", importer) ?? "");
  return {
    browser: from("/x/node_modules/react-router/dist/production/index.js"),
    windows: from("C:\\x\\node_modules\\react-router\\dist\\index.js"),
    server: from("/x/node_modules/react-router/dist/production/lib/server-runtime/routes.js"),
    others: from("/x/node_modules/else/index.js"),
    entry: basename(plugin.resolveId("./single-fetch.js") ?? ""),
    environments: ["client", "ssr"].map((name) => plugin.applyToEnvironment({ name })),
    apply: plugin.apply,
  };
}

async function frames() {
  const { createElement } = (await theirs("react/index.js")).default;
  const { renderToStaticMarkup } = (await theirs("react-dom/server.node.js")).default;
  writeFileSync(join(room, "router.js"), `export { MemoryRouter } from "react-router";`); // found from there, as our modules find it
  const { MemoryRouter } = await import(asFile("router.js"));
  const { Framed, keepFrame } = await import(asFile("components/browser/frames.js"));
  const frame =
    (name) =>
    ({ children }) =>
      createElement("div", { lang: name }, children);
  const at = (path) =>
    renderToStaticMarkup(
      createElement(MemoryRouter, { initialEntries: [path] }, createElement(Framed, { english: frame("en") }, "page")),
    );
  const before = at("/th/faq");
  keepFrame("th", frame("th"));
  return { before, th: at("/th/faq"), home: at("/th"), en: at("/faq"), cn: at("/cn/faq"), lookalike: at("/thing") };
}

const told = {
  fogOfWar,
  instrumentation,
  merging,
  singleFetch,
  refusals,
  elements,
  environments,
  exchangedModules,
  frames,
  missing,
};
const seen = {};
for (const [name, look] of Object.entries(told)) seen[name] = await look();
console.log(JSON.stringify(seen));
