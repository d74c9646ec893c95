// The base URL of API and socket: the page's origin, or, for pages on a static host, the URL that the export has written into them.
// As static_first/browser/environment.js reads it; neither folder may need the other, because projects use them apart.
const exportedBackend =
  typeof document === "undefined" ? undefined : document.querySelector("script[data-backend]")?.dataset.backend;

const backend = exportedBackend ?? ""; // empty: the API is on the page's origin
/** Returns the URL of a path of the API. */
export const backendUrl = (path) => backend + path;

let isWarned = false;
/** Warns about a failed optional call, only once per page. */
export const warnMissing = (call) => {
  if (!isWarned) {
    console.warn(`${call} did not answer; the form goes without it`);
  }
  isWarned = true;
};

/** Logs a failed call to the console, because the browser logs neither timeouts nor failures reported over the socket. */
export const logFailure = (call, error) => console.error(`${call} failed: ${error}`);
