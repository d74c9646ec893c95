// A Vite plugin: while pages are rendered to HTML, Reflex's generated code imports `jsx` from marked_jsx.js instead of Emotion.
import { fileURLToPath } from "node:url";

const MARKED = fileURLToPath(new URL("./marked_jsx.js", import.meta.url));

/** Returns the plugin. */
export const markHandlers = () => ({
  name: "mark-handlers",
  enforce: "pre",
  resolveId(source, importer) {
    const isServerBuild = this.environment?.name === "ssr";
    return isServerBuild && source === "@emotion/react" && importer !== MARKED && !importer?.includes("node_modules")
      ? MARKED
      : null;
  },
});
