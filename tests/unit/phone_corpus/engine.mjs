// Runs calls of the phone input's own modules, as the browser would. stdin: a line of JSON [name, ...arguments] for each call; stdout: a line
// with its result.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { createInterface } from "node:readline";

registerHooks({
  load: (url, context, next) =>
    url.endsWith(".json") // which the bundler turns into modules
      ? { format: "module", shortCircuit: true, source: `export default ${readFileSync(new URL(url), "utf8")}` }
      : next(url, context),
});
const { parsePhone } = await import("./parse.js");
const format = await import("./format.js");
const countries = await import("./countries.js");
const { initialState, nextState } = await import("./phone_state.js");
const { lookUp } = await import("./lookup.js");

const engine = { parsePhone, ...format, ...countries };
const preferred = ["GB", "US", "TH", "CN"];
const listed = (lists) =>
  countries.arrange(countries.everyCountry("en"), { preferred, only: [], ignored: [], ...lists }).countries;
const options = { mode: "auto", pattern: "", validCharactersOnly: false, maxLength: 25 };
const props = { ...options, autoFormat: true, customPattern: "", onlyCountries: [], ignoredCountries: [] };
const CALLS = {
  parse(text, region, only, ignored) {
    const { valid, number, ext, country } = parsePhone(text, { region, only, ignored });
    return valid ? [number, ext, country ?? ""] : null;
  },
  verdict: (text, region, only, ignored) => parsePhone(text, { region, only, ignored }).verdict,
  format: (text, further) =>
    format.formatted(text, parsePhone(text, { region: "GB", ...further }), { region: "GB", ...options, ...further }),
  paste: (text, further) =>
    CALLS.format(format.textOfPaste(text, { region: "GB", ...options, ...further }, 25).text, further),
  payload: (text, further) => format.reportOn(text, { region: "GB", ...options, ...further }).payload,
  strip: format.stripOtherCharacters,
  caret: (before, at, after) => format.caretAfter(before, at, after),
  // Applies changes one after the other to an empty field with a country; returns its text and country.
  state(code, ...changes) {
    let state = { ...initialState(""), country: countries.countryByCode(listed(), code) };
    for (const { format, ...change } of changes) {
      state = nextState(state, change, { engine, countries: listed(), props, format });
    }
    return [state.text, state.country?.iso2 ?? null, state.report.payload.valid];
  },
  best: (text) => countries.search(listed(), text)[0].name,
  search: (text) => countries.search(listed(), text).map(({ name }) => name),
  typeAhead: (...words) => {
    const addMatch = (indexes, word) => [...indexes, countries.typeAhead(listed(), word, indexes.at(-1) ?? 0)];
    return words.reduce(addMatch, []).map((index) => listed()[index].name);
  },
  countryByCode: (code, lists) => countries.countryByCode(listed(lists), code)?.iso2 ?? null,
  countryOfDigits: (digits) => countries.countryOfDigits(listed(), digits, null)?.iso2 ?? null,
  async lookUp(text) {
    globalThis.fetch = async () => new Response(text);
    const warnings = [];
    const { warn } = console;
    console.warn = (warning) => warnings.push(warning);
    const country = await lookUp(`/where?${text}`);
    console.warn = warn;
    return [country, warnings];
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...args] = JSON.parse(line);
  console.log(JSON.stringify((await CALLS[name](...args)) ?? null));
}
