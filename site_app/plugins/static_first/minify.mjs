// Minifies a plain inline script with Rolldown, which comes with Vite.
// stdin: { root, code }; stdout: the shorter code
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { root, code } = JSON.parse(readFileSync(0));
const { rolldown } = await import(pathToFileURL(createRequire(join(root, "package.json")).resolve("rolldown")));

const ENTRY = "\0script";

const bundle = await rolldown({
  input: ENTRY,
  plugins: [
    {
      name: "script",
      resolveId: (source) => (source === ENTRY ? source : null),
      load: (id) => (id === ENTRY ? code : null),
    },
  ],
});
const { output } = await bundle.generate({ format: "es", minify: true });
process.stdout.write(output[0].code.trim());
