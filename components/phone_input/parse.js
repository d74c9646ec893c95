// Parses phone numbers in the browser. The server validates again by the same rules (site_app/contracts/phones.py); tests/unit/phone_corpus
// compares the two, so change both together.
import { Metadata, isSupportedCountry, parsePhoneNumberFromString, validatePhoneNumberLength } from "libphonenumber-js/max";

export const MAX_TEXT_LENGTH = 250; // characters searched for a number

/**
 * Returns {number, ext, country, possible, valid, verdict, formatted, nationalNumber}; `phone` is the library's object, if there is one,
 * and `match` the part of the text that is the number and its extension.
 * @param {string} text
 * @param {{ region?: string, only?: string[], ignored?: string[] }} options
 */
export function parsePhone(text, options = {}) {
  const match = find(asciiDigits(text.slice(0, MAX_TEXT_LENGTH)));
  if (!match) {
    return invalid(text, "too_short");
  }
  const parsed = parseMatch(text, match, options);
  const firstNumber = () => firstNumbers(match).map((first) => parseMatch(text, first, options)).find(({ valid }) => valid);
  return parsed.valid ? parsed : (firstNumber() ?? parsed);
}

function parseMatch(text, match, { region = "", only = [], ignored = [] }) {
  if (match.ext === null) {
    return invalid(text, "too_long", match);
  }
  const code = region?.toUpperCase();
  const [phone, verdict] = parseDigits(match, code && isSupportedCountry(code) ? code : undefined);
  if (!phone) {
    return invalid(text, verdict, match);
  }
  const country = countryOf(phone, code);
  if (verdict === "possible" && !isAccepted(country, only, ignored)) {
    return invalid(text, "invalid_country", match, phone);
  }
  const possible = verdict === "possible";
  const valid = possible && phone.isValid();
  return {
    number: possible ? phone.number : "",
    ext: match.ext,
    country,
    possible,
    valid,
    verdict,
    formatted: valid ? notation(phone, match.ext, match.digits.startsWith("+")) : text,
    nationalNumber: phone.nationalNumber,
    phone,
    match,
  };
}

/** Returns a number as people write it, with its extension. */
export function notation(phone, ext, international) {
  const text = international ? phone.formatInternational() : phone.formatNational();
  return ext ? `${text} ext. ${ext}` : text;
}

const invalid = (text, verdict, match, phone) => ({
  number: "",
  ext: match?.ext ?? "",
  country: null,
  possible: false,
  valid: false,
  verdict,
  formatted: text,
  nationalNumber: phone?.nationalNumber ?? "",
  phone,
  match,
});

/** Returns the text with ASCII digits, half-width characters, and without the invisible marks that address books insert. */
export function asciiDigits(text) {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\p{Decimal_Number}/gu, (digit) => valueOf(digit.codePointAt(0)));
}

const DIGIT = /^\p{Decimal_Number}$/u;
function valueOf(code) {
  let zero = code; // in Unicode the ten digits of a script are consecutive
  while (code - zero < 9 && DIGIT.test(String.fromCodePoint(zero - 1))) {
    zero -= 1;
  }
  return String(code - zero);
}

const SEPARATORS = "[ ()\\[\\]./~·•\\-‐-―−ー]*";
const NUMBER = new RegExp(`(?:\\+${SEPARATORS})?[0-9](?:${SEPARATORS}[0-9])+`, "g");
const EXTENSION_NUMBER = "[:.]?[ ,\\-]*([0-9]+)#?";
const MAX_NUMBER_DIGITS = 15; // of any number in the world
export const MAX_SHORT_EXT_DIGITS = 9; // of an extension behind a short marker
/** @type {[RegExp, number, boolean][]} */
const EXTENSIONS = [
  // marker, most digits, true if more digits are a mistake (else they may be another number)
  [/;ext=([0-9]+)/iuy, 20, true],
  [new RegExp(`[ ,(]*(?:extension|extensión|extn?|xtn?|доб|anexo|ต่อ|转|轉|分机|分機)${EXTENSION_NUMBER}`, "iuy"), 20, true],
  [new RegExp(`[ ,(]*(?:x|#|~|int)${EXTENSION_NUMBER}`, "iuy"), MAX_SHORT_EXT_DIGITS, true],
  [new RegExp(` *,,${EXTENSION_NUMBER}`, "uy"), 15, true],
  [new RegExp(` *;${EXTENSION_NUMBER}[ .)]*$`, "uy"), 15, false],
  [new RegExp(` *,${EXTENSION_NUMBER}[ .)]*$`, "uy"), MAX_SHORT_EXT_DIGITS, false],
];
const LAST_GROUP = /^(.*[0-9])[ -]+([0-9]{1,6})$/;
const BETWEEN_NUMBERS = / *(?:\/| [-‐-―−ー] )/gu;
const OPENED_BRACKET = / *\([^)]*$/gu;

// Returns the number with the most digits, the first of several, and the extension that directly follows it.
function find(text) {
  let best;
  NUMBER.lastIndex = 0;
  for (let match; (match = NUMBER.exec(text));) {
    let [numberText] = match;
    let [ext, end, mostExtDigits] = extension(text, NUMBER.lastIndex);
    let numberEnd = NUMBER.lastIndex;
    const grouped = !ext && text.startsWith("#", end) && LAST_GROUP.exec(numberText); // 020 7946 0958 - 503#
    if (grouped) {
      [, numberText, ext] = grouped;
      numberEnd = match.index + numberText.length;
      mostExtDigits = MAX_SHORT_EXT_DIGITS;
    }
    const digits = digitsOf(numberText);
    if (!best || count(digits) > count(best.digits)) {
      best = { text: numberText, digits, ext, mostExtDigits, start: match.index, numberEnd, end };
    }
    NUMBER.lastIndex = end;
  }
  return best;
}

// Returns the beginnings of a match, the shortest first, that may be the number if the whole is none: 020 7946 0958 of
// “020 7946 0958 / 020 7946 0959”, and of “020 7946 0958 (9am-5pm)”, whose match ends behind the 9.
function firstNumbers({ text, digits, start }) {
  const ends = count(digits) > MAX_NUMBER_DIGITS ? [...text.matchAll(BETWEEN_NUMBERS)] : [];
  return [...ends, ...text.matchAll(OPENED_BRACKET)].map(({ index }) => {
    const end = start + index;
    return { digits: digitsOf(text.slice(0, index)), ext: "", mostExtDigits: 0, start, numberEnd: end, end };
  });
}

const digitsOf = (text) => (text.startsWith("+") ? "+" : "") + text.replace(/[^0-9]/g, "");

const count = (digits) => digits.replace("+", "").length;

function extension(text, start) {
  for (const [marker, most, strict] of EXTENSIONS) {
    marker.lastIndex = start;
    const match = marker.exec(text);
    if (match && match[1].length <= most) {
      return [match[1], marker.lastIndex, most];
    }
    if (match && (strict || match[1].length > MAX_NUMBER_DIGITS)) {
      return [null, marker.lastIndex, most];
    }
  }
  return ["", start, 0];
}

// Parses the digits by the country's rules; digits that begin with 00 and are not valid there may be an international number.
function parseDigits({ digits }, region) {
  const [phone, verdict] = parseByRegion(digits, region);
  if (digits.startsWith("00") && !phone?.isValid()) {
    const [abroad, abroadVerdict] = parseByRegion("+" + digits.slice(2));
    if (abroad?.isValid()) {
      return [abroad, abroadVerdict];
    }
  }
  return [phone, verdict];
}

const VERDICTS = {
  NOT_A_NUMBER: "too_short",
  TOO_SHORT: "too_short",
  TOO_LONG: "too_long",
  INVALID_LENGTH: "invalid_length",
  INVALID_COUNTRY: "invalid_country",
};

function parseByRegion(digits, defaultCountry) {
  const options = { defaultCountry, extract: false };
  const phone = parsePhoneNumberFromString(digits, options);
  // Validates the length of a parsed number by its calling code, as the server does, not by one small country that shares the code.
  const problem = phone ? validatePhoneNumberLength(phone.number) : validatePhoneNumberLength(digits, options);
  return [phone, problem ? VERDICTS[problem] : "possible"];
}

// Returns the country whose pattern matches; if none does, the chosen country if it shares the code, else the main country of the code.
function countryOf(phone, region) {
  if (phone.isValid()) {
    return phone.country ?? null;
  }
  const sharing = countriesWith(phone.countryCallingCode);
  return sharing.includes(region) ? region : (sharing[0] ?? null);
}

/** Returns the countries that share a calling code, the main one first. */
export function countriesWith(code) {
  const metadata = new Metadata();
  if (!metadata.hasCallingCode(code) || metadata.isNonGeographicCallingCode(code)) {
    return [];
  }
  return metadata.getCountryCodesForCallingCode(code);
}

// A list of accepted countries takes precedence over a list of ignored ones, as the specification asks (R40).
function isAccepted(country, only, ignored) {
  const isIn = (list) => list.some((code) => code.toUpperCase() === country);
  return only.length ? isIn(only) : !isIn(ignored);
}
