// Requests the visitor's country from our own server; the response has the format of IP-to-country services: "1;US;USA;United States".
const TIMEOUT_MS = 1500; // the server's own timeout for the service is 800
const lookups = new Map();

/** Resolves to two letters, or to null after a warning; all fields of the page share one request and one warning. */
export function lookUp(url) {
  if (!lookups.has(url)) {
    lookups.set(url, requestCountry(url).catch(warn));
  }
  return lookups.get(url);
}

// Safari before 16 and Chrome before 103 have no AbortSignal.timeout.
function timeoutSignal() {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException("no response in time", "TimeoutError")), TIMEOUT_MS);
  return controller.signal;
}

async function requestCountry(url) {
  if (!url) {
    throw new Error("no address to ask");
  }
  const response = await fetch(url, { signal: timeoutSignal(), headers: { accept: "text/plain" } });
  const text = response.ok ? await response.text() : "";
  const country = text[0] === "1" ? text.split(";")[1]?.slice(0, 2).toUpperCase() : "";
  if (!/^[A-Z]{2}$/.test(country ?? "") || country === "ZZ") {
    throw new Error(`the answer was ${JSON.stringify(text.slice(0, 40))}`);
  }
  return country;
}

/** Logs that the country is unknown; returns null. */
export function warn() {
  console.warn("unable to fetch the country");
  return null;
}
