// The list of countries: names, codes, and aliases.
import { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import english from "react-phone-number-input/locale/en.json";
import thai from "react-phone-number-input/locale/th.json";
import chinese from "react-phone-number-input/locale/zh.json";
import areaCodes from "./area_codes.json"; // of the countries that share a calling code, except the main one
import { countriesWith } from "./reading.js";

const NAMES = { en: english, th: thai, zh: chinese };
const ALIASES = {
  AE: "UAE Emirates",
  BA: "Bosnia",
  CD: "DRC Zaire",
  CI: "Ivory Coast",
  CN: "PRC Mainland",
  CV: "Cape Verde",
  CZ: "Czechia",
  GB: "UK Great Britain England Scotland Wales Northern Ireland",
  KR: "ROK Korea",
  KP: "DPRK",
  LA: "Laos",
  MM: "Burma",
  MK: "Macedonia",
  NL: "Holland",
  RU: "Russia",
  SY: "Syria",
  SZ: "Swaziland",
  TH: "Siam",
  TL: "East Timor",
  TR: "Turkiye Turkey",
  TW: "ROC Formosa",
  US: "USA America States",
  VA: "Holy See",
  VN: "Vietnam",
};

/** Returns all countries in the language's alphabetical order; {name, iso2, dialCode, priority, areaCodes}. */
export function everyCountry(language) {
  const nameOf = namesIn(language);
  const { compare } = new Intl.Collator(language);
  return getCountries()
    .map((iso2) => described(iso2, nameOf(iso2) ?? english[iso2] ?? iso2))
    .sort((first, second) => compare(first.name, second.name));
}

// Returns a function for the names of countries: from our tables for three languages, else from the browser.
function namesIn(language) {
  const ownNames = NAMES[language.slice(0, 2).toLowerCase()];
  if (ownNames) {
    return (iso2) => ownNames[iso2];
  }
  const regionNames = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  return (iso2) => regionNames.of(iso2);
}

function described(iso2, name) {
  const dialCode = getCountryCallingCode(iso2);
  const priority = Math.max(countriesWith(dialCode).indexOf(iso2), 0);
  return { name, iso2, dialCode, priority, areaCodes: areaCodes[iso2]?.split(" ") ?? null };
}

/** Returns the offered countries, the preferred ones first, each once. */
export function arrange(all, { preferred, only, ignored }) {
  const [first, offeredCodes, left] = [preferred, only, ignored].map((list) => list.map((code) => code.toUpperCase()));
  const offered = all.filter(({ iso2 }) => (offeredCodes.length ? offeredCodes.includes(iso2) : !left.includes(iso2)));
  const top = first.map((code) => offered.find(({ iso2 }) => iso2 === code)).filter(Boolean);
  return { countries: [...top, ...offered.filter((one) => !top.includes(one))], preferredCount: top.length };
}

/** Returns the country for two letters, or for a dial code its main country. */
export function named(countries, code) {
  const text = String(code ?? "")
    .replace("+", "")
    .toUpperCase();
  if (!text) {
    return null;
  }
  if (/^[0-9]+$/.test(text)) {
    return (
      countries.filter(({ dialCode }) => dialCode === text).sort((first, second) => first.priority - second.priority)[0] ?? null
    );
  }
  return countries.find(({ iso2 }) => iso2 === text) ?? null;
}

/** Returns the country for the digits typed so far after a +; keeps the present one while it shares their calling code. */
export function led(countries, digits, present) {
  const sharing = countries.filter(({ dialCode }) => digits.startsWith(dialCode)); // no calling code is a prefix of another
  const afterDialCode = digits.slice(sharing[0]?.dialCode.length ?? 0);
  const byArea = sharing.find(({ areaCodes }) => areaCodes?.some((area) => afterDialCode.startsWith(area)));
  return (
    byArea ??
    sharing.find((one) => one === present) ??
    sharing.sort((first, second) => first.priority - second.priority)[0] ??
    null
  );
}

const folded = (text) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();

const known = new Map(); // the search texts of each country: its name, its English, Thai and Chinese names, and its aliases
function wordsOf({ iso2, name }) {
  const key = `${iso2} ${name}`;
  if (!known.has(key)) {
    known.set(
      key,
      [name, english[iso2], thai[iso2], chinese[iso2], ALIASES[iso2]].map((text) => folded(text ?? "")),
    );
  }
  return known.get(key);
}

// Returns how well a country matches the typed text: lower is better, Infinity is no match.
function distance(country, typed) {
  const words = wordsOf(country);
  const aliases = words.at(-1).split(" ");
  if (/^\+?[0-9]+$/.test(typed)) {
    const { dialCode, priority } = country;
    return dialCode.startsWith(typed.replace("+", "")) ? dialCode.length + priority / 1000 : Infinity;
  }
  if (country.iso2.toLowerCase() === typed || aliases.includes(typed)) {
    return 0;
  }
  if (words[0].startsWith(typed)) {
    return 1;
  }
  if (words.slice(1).some((text) => text.startsWith(typed))) {
    return 2;
  }
  if (words.some((text) => text.includes(` ${typed}`))) {
    return 3;
  }
  return words.some((text) => text.includes(typed)) ? 4 : Infinity;
}

export function search(countries, text) {
  const typed = folded(text.trim());
  if (!typed) {
    return countries;
  }
  const ranked = countries.map((country) => [distance(country, typed), country]).filter(([far]) => far < Infinity);
  return ranked.sort(([first], [second]) => first - second).map(([, country]) => country);
}

/** Returns the index that type-ahead selects: first by prefix in the whole list; a repeated letter cycles through its countries. */
export function typeAhead(countries, typed, from) {
  const text = folded(typed);
  const round = text.length > 1 && [...text].every((letter) => letter === text[0]);
  const wanted = round ? text[0] : text;
  const begins = ({ 0: name }) => name.startsWith(wanted);
  const order = round ? countries.map((_, index) => (from + 1 + index) % countries.length) : countries.map((_, index) => index);
  const exact = order.find((index) => begins(wordsOf(countries[index])));
  if (exact !== undefined) {
    return exact;
  }
  const [best] = search(countries, wanted);
  return best ? countries.indexOf(best) : -1;
}
