// The field `attribution`: a query string that says where the visitor came from, stored by the first page of this tab.

/** Returns the field, or {} if nothing is stored. */
export const attribution = () => {
  try {
    const text = sessionStorage.getItem("attribution");
    return text ? { attribution: text } : {};
  } catch {
    return {};
  }
};
