// A plugin for Vite: what Reflex generates takes `jsx` from marked_jsx.js while pages are written as HTML, and from Emotion elsewhere.
import { fileURLToPath } from "node:url";

const MARKED = fileURLToPath(new URL("./marked_jsx.js", import.meta.url));

export const markHandlers = () => ({
  name: "mark-handlers",
  enforce: "pre",
  resolveId(source, importer) {
    const isWritten = this.environment?.name === "ssr";
    return isWritten && source === "@emotion/react" && importer !== MARKED && !importer?.includes("node_modules")
      ? MARKED
      : null;
  },
});
