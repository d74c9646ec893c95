// Where API and socket are: beside the pages, or, for pages on a host of their own, where their export has written it.
const written = typeof document === "undefined" ? undefined : document.querySelector("script[data-backend]")?.dataset.backend;

export const backend = written ?? ""; // nothing: addresses of the API are of this host
export const at = (path) => backend + path;
