// Code that fails to load may have been replaced by a new release. Loading the whole page may still work: that is tried once.
const markOf = (name) => `reloaded:${name}`;

/** Loads the address; returns false if that has already been tried for this name or the server does not respond. */
export const reloadOnce = async (url, name, method = "assign") => {
  try {
    const isMarkLost = "isLostWithPage" in sessionStorage; // set by static_first's react.js
    if (isMarkLost || sessionStorage.getItem(markOf(name)) || !(await fetch(url, { method: "HEAD" })).ok) {
      return false;
    }
    sessionStorage.setItem(markOf(name), "1");
  } catch {
    return false; // offline, or no storage to prevent an endless loop of reloads
  }
  location[method](url);
  return true;
};

/** Called when the code has loaded: if it fails again later, the page may be reloaded again. */
export const clearReloadMark = (name) => sessionStorage.removeItem(markOf(name));

/** Reloads this page with the dialog of that name open. */
export const reloadWithDialog = (name) => {
  const url = new URL(location.href);
  url.searchParams.set("open", name);
  return reloadOnce(url, name, "replace"); // so that Back does not lead to it twice
};
