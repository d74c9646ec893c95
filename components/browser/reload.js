// Code that fails to load may have been replaced by a new release. Loading the whole page may still work: that is tried once.
const keyOf = (name) => `reloaded:${name}`;

/** Loads the address; returns false if that has already been tried for this name or the server does not respond. */
export const loadAnew = async (url, name, how = "assign") => {
  try {
    if (sessionStorage.getItem(keyOf(name)) || !(await fetch(url, { method: "HEAD" })).ok) {
      return false;
    }
    sessionStorage.setItem(keyOf(name), "1");
  } catch {
    return false; // offline, or no storage to prevent an endless loop of reloads
  }
  location[how](url);
  return true;
};

/** Called when the code has loaded: if it fails again later, the page may be reloaded again. */
export const hasCome = (name) => sessionStorage.removeItem(keyOf(name));

/** Reloads this page with the dialog of that name open. */
export const loadDialogAnew = (name) => {
  const url = new URL(location.href);
  url.searchParams.set("open", name);
  return loadAnew(url, name, "replace"); // so that Back does not lead to it twice
};
