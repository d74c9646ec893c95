// Where the visitor came from, as the first page of this tab has remembered it: a query string, sent as the field `attribution`.
export const attribution = () => {
  try {
    const text = sessionStorage.getItem("attribution");
    return text ? { attribution: text } : {};
  } catch {
    return {};
  }
};
