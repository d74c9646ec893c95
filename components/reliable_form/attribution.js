// The field `attribution`: a query string that says where the visitor came from, stored by the first page of this tab.

const MAX_LENGTH_IN_ADDRESS = 3500; // as in the contract
const FIRST_TO_GO = ["utm_content", "utm_term", "utm_campaign", "utm_medium"]; // the rest fits

/** Returns the field, or {} if nothing is stored. */
export const attribution = () => {
  try {
    const text = sessionStorage.getItem("attribution");
    return text ? { attribution: text } : {};
  } catch {
    return {};
  }
};

/** Returns the field as a parameter of an address, without marks that would make the address too long. */
export const attributionForAddress = () => {
  const marks = new URLSearchParams(attribution().attribution);
  for (const name of FIRST_TO_GO) {
    if (encodeURIComponent(marks.toString()).length > MAX_LENGTH_IN_ADDRESS) {
      marks.delete(name);
    }
  }
  const text = marks.toString();
  return text ? { attribution: text } : {};
};
