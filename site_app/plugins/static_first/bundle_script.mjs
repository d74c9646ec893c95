// Bundles and minifies one of our scripts with Rolldown, which comes with Vite.
// stdin: { root, entry, folder, name }; stdout: the name of the file with its hash
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { root, entry, folder, name } = JSON.parse(readFileSync(0));
const { rolldown } = await import(pathToFileURL(createRequire(join(root, "package.json")).resolve("rolldown")));

const find = (file) => (existsSync(file) ? file : `${file}.js`);

const bundle = await rolldown({
  input: { [name]: join(root, entry) },
  plugins: [{ name: "root", resolveId: (source) => (source.startsWith("$/") ? find(join(root, source.slice(2))) : null) }],
  onLog: (level, log) => {
    if (level === "warn") {
      throw new Error(log.message);
    }
  },
  transform: { define: { "import.meta.env.DEV": "false" } },
});
const { output } = await bundle.write({
  dir: folder,
  format: "es",
  minify: true,
  entryFileNames: "[name]-[hash].js",
  chunkFileNames: "[name]-[hash].js",
});
console.log(output.find((chunk) => chunk.isEntry).fileName);
