// The drafts of forms that this tab stores, and the names under which it stores them.

const PREFIX = "draft:";

/** Returns the key of a form's draft in the tab's storage. */
export const draftKey = (form) => PREFIX + form;

/** Returns the stored drafts, each with the name of its `form`; none if the browser forbids storage. */
export const storedDrafts = () => {
  try {
    return Object.entries(sessionStorage)
      .filter(([key]) => key.startsWith(PREFIX))
      .map(([key, text]) => ({ ...JSON.parse(text), form: key.slice(PREFIX.length) }));
  } catch {
    return [];
  }
};
