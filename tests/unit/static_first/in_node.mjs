// Runs some of our modules in node, as the build lays them out, and prints the results as JSON.
// node in_node.mjs <folder with build_parts, components and node_modules>
import { readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);

const asFile = (name) => pathToFileURL(join(folder, name) + (extname(name) ? "" : ".js")).href;
registerHooks({
  resolve: (name, context, next) => next(name.startsWith("$/") ? asFile(name.slice(2)) : name, context),
});
const fromPackages = (file) => import(asFile(join("node_modules", file)));

async function environments() {
  const at = async (origin, backend) => {
    globalThis.location = origin && { origin };
    if (!origin) {
      delete globalThis.location;
    }
    globalThis.document = { querySelector: () => (backend ? { dataset: { backend } } : null) };
    const text = readFileSync(join(folder, "static_first/environment.js"), "utf8");
    const asModule = `data:text/javascript,${encodeURIComponent(text + `\n// ${origin} ${backend}`)}`; // a copy of its own, as each page load has
    const environment = (await import(asModule)).default;
    delete globalThis.document;
    delete globalThis.location;
    return environment;
  };
  return {
    beside: await at("https://www.example.com"),
    elsewhere: await at("https://www.example.com", "https://api.example.com"),
    built: await at(),
  };
}

async function layouts() {
  const { createElement } = (await fromPackages("react/index.js")).default;
  const { renderToStaticMarkup } = (await fromPackages("react-dom/server.node.js")).default;
  writeFileSync(join(folder, "router.js"), `export { MemoryRouter } from "react-router";`); // found from there, as our modules find it
  const { MemoryRouter } = await import(asFile("router.js"));
  const { InLayout, registerLayout } = await import(asFile("components/browser/layouts.js"));
  const layout =
    (name) =>
    ({ children }) =>
      createElement("div", { lang: name }, children);
  const at = (path) =>
    renderToStaticMarkup(
      createElement(MemoryRouter, { initialEntries: [path] }, createElement(InLayout, { english: layout("en") }, "page")),
    );
  const before = at("/th/faq");
  registerLayout("th", layout("th"));
  return { before, th: at("/th/faq"), home: at("/th"), en: at("/faq"), cn: at("/cn/faq"), lookalike: at("/thing") };
}

const checks = { environments, layouts };
const results = {};
for (const [name, check] of Object.entries(checks)) {
  results[name] = await check();
}
console.log(JSON.stringify(results));
