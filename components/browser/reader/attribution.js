// Stores in this tab where the visitor of its first page came from, and the first partner's code. Loaded only if there may be something to
// store (see arrival.js).
// reliable_form/attribution.js sends it with a form; the contract cleans it.
import { isPrivate } from "$/components/browser/reader/privacy";

const MARKS = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "ref"];
const LONGEST_VALUE = 100; // characters, as in the contract
const PARTNER_CODE = /^[23456789ACDEFGHJKMNPQRTUVWXY]{8}$/i; // as in the contract

const hasPartnerCode = (query) => PARTNER_CODE.test(query.get("ref"));
const withoutWww = (host) => host.replace(/^www\./, "");

const readAttribution = () => {
  const query = new URLSearchParams(location.search);
  if (isPrivate()) {
    return new URLSearchParams(hasPartnerCode(query) ? { ref: query.get("ref") } : {});
  }
  const attribution = new URLSearchParams();
  for (const name of MARKS) {
    const value = query.get(name)?.slice(0, LONGEST_VALUE);
    if (value) {
      attribution.set(name, value);
    }
  }
  const { host } = new URL(document.referrer || location.href);
  if (withoutWww(host) !== withoutWww(location.host)) {
    attribution.set("referrer", host);
  }
  if (attribution.toString()) {
    attribution.set("landing_page", location.pathname);
  }
  return attribution;
};

/** Returns what to store: the first page counts, but a partner's code also if the visitor comes by the partner's link later. */
const mergeAttribution = (stored, arrived) => {
  const attribution = new URLSearchParams(stored || arrived);
  if (hasPartnerCode(arrived) && !hasPartnerCode(attribution)) {
    attribution.set("ref", arrived.get("ref"));
  }
  return attribution.toString();
};

try {
  const text = mergeAttribution(sessionStorage.attribution, readAttribution());
  if (text) {
    sessionStorage.attribution = text;
  }
} catch {
  // the browser forbids storage, so nothing is stored
}
