// The list of countries: names, codes, and aliases.
import { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import english from "react-phone-number-input/locale/en.json";
import thai from "react-phone-number-input/locale/th.json";
import chinese from "react-phone-number-input/locale/zh.json";
import areaCodes from "./area_codes.json"; // of the countries that share a calling code, except the main one
import { countriesWith } from "./parse.js";

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

/** @typedef {{ name: string, iso2: string, dialCode: string, priority: number, areaCodes: string[] | null }} Country */

/**
 * Returns all countries in the language's alphabetical order.
 * @param {string} language @returns {Country[]}
 */
export function everyCountry(language) {
  const nameOf = namesIn(language);
  const { compare } = new Intl.Collator(language);
  return getCountries()
    .map((iso2) => countryRecord(iso2, nameOf(iso2) ?? english[iso2] ?? iso2))
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

/** @param {string} iso2 @param {string} name @returns {Country} */
function countryRecord(iso2, name) {
  const dialCode = getCountryCallingCode(iso2);
  const priority = Math.max(countriesWith(dialCode).indexOf(iso2), 0);
  return { name, iso2, dialCode, priority, areaCodes: areaCodes[iso2]?.split(" ") ?? null };
}

/**
 * Returns the offered countries, the preferred ones first, each once.
 * @param {Country[]} all @param {{ preferred: string[], only: string[], ignored: string[] }} codes
 */
export function arrange(all, { preferred, only, ignored }) {
  const upper = (codes) => codes.map((code) => code.toUpperCase());
  const [preferredCodes, offeredCodes, ignoredCodes] = [preferred, only, ignored].map(upper);
  const offered = all.filter(({ iso2 }) => (offeredCodes.length ? offeredCodes.includes(iso2) : !ignoredCodes.includes(iso2)));
  const top = preferredCodes.map((code) => offered.find(({ iso2 }) => iso2 === code)).filter(Boolean);
  return { countries: [...top, ...offered.filter((country) => !top.includes(country))], preferredCount: top.length };
}

/**
 * Returns the main one of the countries that share a calling code.
 * @param {Country[]} sharing @returns {Country | null}
 */
const mainCountry = (sharing) => sharing.sort((first, second) => first.priority - second.priority)[0] ?? null;

/**
 * Returns the country for two letters, or for a dial code its main country.
 * @param {Country[]} countries @param {string} code
 */
export function countryByCode(countries, code) {
  const text = String(code ?? "")
    .replace("+", "")
    .toUpperCase();
  if (!text) {
    return null;
  }
  if (/^[0-9]+$/.test(text)) {
    return mainCountry(countries.filter(({ dialCode }) => dialCode === text));
  }
  return countries.find(({ iso2 }) => iso2 === text) ?? null;
}

/**
 * Returns the country for the digits typed so far after a +; keeps the current one while it shares their calling code.
 * @param {Country[]} countries @param {string} digits @param {Country | null} current
 */
export function countryOfDigits(countries, digits, current) {
  const sharing = countries.filter(({ dialCode }) => digits.startsWith(dialCode)); // no calling code is a prefix of another
  const afterDialCode = digits.slice(sharing[0]?.dialCode.length ?? 0);
  const byArea = sharing.find(({ areaCodes }) => areaCodes?.some((area) => afterDialCode.startsWith(area)));
  return byArea ?? sharing.find((country) => country === current) ?? mainCountry(sharing);
}

// Returns the text in lower case without accents.
const folded = (text) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();

const searchTexts = new Map(); // of each country: its name, its English, Thai and Chinese names, and its aliases
function searchTextsOf({ iso2, name }) {
  const key = `${iso2} ${name}`;
  if (!searchTexts.has(key)) {
    searchTexts.set(
      key,
      [name, english[iso2], thai[iso2], chinese[iso2], ALIASES[iso2]].map((text) => folded(text ?? "")),
    );
  }
  return searchTexts.get(key);
}

// Returns how well a country matches the typed text: lower is better, Infinity is no match.
function rankOf(country, typed) {
  const words = searchTextsOf(country);
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

/**
 * Returns the countries that match the typed text, best first; all countries without a text.
 * @param {Country[]} countries @param {string} text @returns {Country[]}
 */
export function search(countries, text) {
  const typed = folded(text.trim());
  if (!typed) {
    return countries;
  }
  const ranked = countries.map((country) => [rankOf(country, typed), country]).filter(([rank]) => rank < Infinity);
  return ranked.sort(([rankA], [rankB]) => rankA - rankB).map(([, country]) => country);
}

/** Returns the index that type-ahead selects: first by prefix in the whole list; a repeated letter cycles through its countries. */
export function typeAhead(countries, typed, from) {
  const text = folded(typed);
  const isRepeated = text.length > 1 && [...text].every((letter) => letter === text[0]);
  const prefix = isRepeated ? text[0] : text;
  const begins = ([name]) => name.startsWith(prefix);
  const start = isRepeated ? from + 1 : 0;
  const order = countries.map((_, index) => (start + index) % countries.length);
  const exact = order.find((index) => begins(searchTextsOf(countries[index])));
  if (exact !== undefined) {
    return exact;
  }
  const [best] = search(countries, prefix);
  return best ? countries.indexOf(best) : -1;
}
