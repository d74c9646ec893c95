// Remembers in this tab where its first page was come to from. Fetched only where there may be something to remember (see arrival.js).
// What is sent with a form is read by reliable_form/attribution.js; the contract cleans it.
import { isPrivate } from "$/components/browser/reading/arrival";

const MARKS = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "ref"];
const LONGEST_VALUE = 100; // characters, as in the contract

const found = () => {
  const query = new URLSearchParams(location.search);
  const kept = new URLSearchParams();
  for (const name of isPrivate() ? ["ref"] : MARKS) {
    const value = query.get(name)?.slice(0, LONGEST_VALUE);
    if (value) {
      kept.set(name, value);
    }
  }
  if (!isPrivate()) {
    const { host } = new URL(document.referrer || location.href);
    if (host !== location.host) {
      kept.set("referrer", host);
    }
    if (kept.size) {
      kept.set("landing_page", location.pathname);
    }
  }
  return kept.toString();
};

const text = found();
try {
  if (text) {
    sessionStorage.attribution ??= text; // the first page counts
  }
} catch {
  // storage is forbidden: nothing is remembered
}
