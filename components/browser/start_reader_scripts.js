// Starts the reader scripts in development. A built page has them in its own script: see reader/entry.js.
import { useEffect } from "react";

// Development uses Reflex's document, which does not include the reader scripts, and React writes the page's head last: every page has a
// picture there.
const startInDevelopment = () =>
  document.querySelector("meta[property='og:image']")
    ? import("$/components/browser/reader/start").then(({ startReaderScripts }) => startReaderScripts())
    : setTimeout(startInDevelopment, 50);

/** Starts the reader scripts in development. Renders nothing. */
export const StartReaderScripts = () => {
  useEffect(() => {
    if (import.meta.env.DEV) {
      startInDevelopment();
    }
  }, []);
  return null;
};
