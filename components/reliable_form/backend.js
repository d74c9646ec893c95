// Where API and socket are: beside the pages, or, for pages on a host of their own, where their export has written it.
const written = typeof document === "undefined" ? undefined : document.querySelector("script[data-backend]")?.dataset.backend;

export const backend = written ?? ""; // nothing: addresses of the API are of this host
export const at = (path) => backend + path;

// A call that the site can do without: one line for a page, however many of them do not answer.
let isWarned = false;
export const doWithout = (call) => {
  if (!isWarned) {
    console.warn(`${call} did not answer; the form goes without it`);
  }
  isWarned = true;
};

/** That a call has failed is said in the console: of a time that is up, or of a failure told over the socket, the browser says nothing. */
export const complain = (call, error) => console.error(`${call} failed: ${error}`);
