// Exchanges modules of packages for ours, in the browser's build alone: the server's, which renders the pages, needs the real ones.
import { fileURLToPath } from "node:url";

const OURS = {
  "react-router": { "single-fetch.js": "single_fetch.js", "fog-of-war.js": "fog_of_war.js", "instrumentation.js": "instrumentation.js" },
};

// The package's index names its server's parts too; what they ask for is theirs, and nothing of it is left in the end.
const OF_SERVERS = /\/(rsc|server-runtime)\/|\/ssr\/server\.js$/;

const packageOf = (file) => !OF_SERVERS.test(file) && Object.keys(OURS).find((name) => file.includes(`/node_modules/${name}/`));

export default () => ({
  name: "stand-ins",
  enforce: "pre",
  apply: "build",
  applyToEnvironment: (environment) => environment.name === "client",
  resolveId(source, importer = "") {
    const own = OURS[packageOf(importer.replaceAll("\\", "/"))]?.[source.split("/").pop()];
    return own && fileURLToPath(new URL(own, import.meta.url));
  },
});
