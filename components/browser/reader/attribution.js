// Stores in this tab where the visitor of its first page came from. Loaded only if there may be something to store (see arrival.js).
// reliable_form/attribution.js sends it with a form; the contract cleans it.
import { isPrivate } from "$/components/browser/reader/privacy";

const MARKS = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "ref"];
const LONGEST_VALUE = 100; // characters, as in the contract

const readAttribution = () => {
  const query = new URLSearchParams(location.search);
  const attribution = new URLSearchParams();
  for (const name of isPrivate() ? ["ref"] : MARKS) {
    const value = query.get(name)?.slice(0, LONGEST_VALUE);
    if (value) {
      attribution.set(name, value);
    }
  }
  if (!isPrivate()) {
    const { host } = new URL(document.referrer || location.href);
    if (host !== location.host) {
      attribution.set("referrer", host);
    }
    if (attribution.size) {
      attribution.set("landing_page", location.pathname);
    }
  }
  return attribution.toString();
};

const text = readAttribution();
try {
  if (text) {
    sessionStorage.attribution ??= text; // the first page counts
  }
} catch {
  // the browser forbids storage, so nothing is stored
}
