// Code that does not come may have been replaced by a new version of the site. The page as a whole may still be had then: that is tried once.
const keyOf = (name) => `reloaded:${name}`;

/** Leaves for the address, unless that has been tried for this name already or the server does not answer: then it says false. */
export const loadAnew = async (url, name, how = "assign") => {
  try {
    if (sessionStorage.getItem(keyOf(name)) || !(await fetch(url, { method: "HEAD" })).ok) {
      return false;
    }
    sessionStorage.setItem(keyOf(name), "1");
  } catch {
    return false; // no line, or no storage that would keep it from going round for ever
  }
  location[how](url);
  return true;
};

/** It has come: should it be missing again, the page may be loaded anew again. */
export const hasCome = (name) => sessionStorage.removeItem(keyOf(name));

/** This page, with its dialog of that name open. */
export const loadDialogAnew = (name) => {
  const url = new URL(location.href);
  url.searchParams.set("open", name);
  return loadAnew(url, name, "replace"); // so that Back does not lead to it twice
};
