// Answers calls of the phone input's own modules, as the browser would: a line of JSON [name, ...arguments] in, a line with the answer out.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { createInterface } from "node:readline";

registerHooks({
  load: (url, context, next) =>
    url.endsWith(".json") // which the bundler turns into modules
      ? { format: "module", shortCircuit: true, source: `export default ${readFileSync(new URL(url), "utf8")}` }
      : next(url, context),
});
const { read } = await import("./reading.js");
const { caretAfter, cleaned, pasted, report, tidied } = await import("./writing.js");
const { arrange, everyCountry, led, named, search, typeAhead } = await import("./countries.js");
const { lookUp } = await import("./lookup.js");

const preferred = ["GB", "US", "TH", "CN"];
const listed = (lists) => arrange(everyCountry("en"), { preferred, only: [], ignored: [], ...lists }).countries;
const options = { mode: "auto", pattern: "", validCharactersOnly: false, maxLength: 25 };
const CALLS = {
  taken(text, region, only, ignored) {
    const { valid, number, ext, country } = read(text, { region, only, ignored });
    return valid ? [number, ext, country ?? ""] : null;
  },
  refused: (text, region, only, ignored) => read(text, { region, only, ignored }).verdict,
  shown: (text, own) => tidied(text, read(text, { region: "GB", ...own }), { region: "GB", ...options, ...own }),
  pasted: (text, own) => CALLS.shown(pasted(text, { region: "GB", ...options, ...own }, 25).text, own),
  payload: (text, own) => report(text, { region: "GB", ...options, ...own }).payload,
  cleaned,
  caret: (before, at, after) => caretAfter(before, at, after),
  best: (text) => search(listed(), text)[0].name,
  search: (text) => search(listed(), text).map(({ name }) => name),
  typed: (...words) =>
    words.reduce((seen, word) => [...seen, typeAhead(listed(), word, seen.at(-1) ?? 0)], []).map((at) => listed()[at].name),
  named: (code, lists) => named(listed(lists), code)?.iso2 ?? null,
  led: (digits) => led(listed(), digits, null)?.iso2 ?? null,
  async lookedUp(answer) {
    globalThis.fetch = async () => new Response(answer);
    const said = [];
    const warn = console.warn;
    console.warn = (text) => said.push(text);
    const found = await lookUp(`/where?${answer}`);
    console.warn = warn;
    return [found, said];
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...said] = JSON.parse(line);
  console.log(JSON.stringify((await CALLS[name](...said)) ?? null));
}
