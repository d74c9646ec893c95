// Formats the text in the field: keeps it as typed until it is a valid number, then writes it in the usual notation.
import { MOST_SHORT_EXT, plain, read, write } from "./reading.js";

/** Returns the parsed text and the payload of the verdict event. An empty field has no verdict. */
export function report(text, options) {
  const reading = read(text, options);
  const { phone } = reading;
  const fits = matches(text, options.pattern);
  const ext = reading.ext || (options.kept?.number === reading.number && options.kept?.ext) || "";
  return {
    reading: { ...reading, ext },
    payload: {
      country: text ? reading.country : null,
      countryCode: reading.country ?? phone?.country ?? null,
      formatted: reading.valid ? written(text, reading, options) : text,
      valid: text ? reading.valid && fits : null,
      possible: text ? reading.possible : null,
      nationalNumber: reading.nationalNumber || null,
      number: reading.number || null,
      ext: ext || null,
      verdict: text ? reading.verdict : null,
    },
  };
}

/** Returns true if the whole text matches the developer's pattern, as with HTML's pattern attribute. */
export function matches(text, pattern) {
  if (!pattern) {
    return true;
  }
  try {
    return new RegExp(`^(?:${pattern})$`, "v").test(text);
  } catch (error) {
    console.error(`phone input: custom_pattern is not a regular expression: ${error.message}`);
    return true;
  }
}

// Returns a valid number in the notation of the mode, but never a text that would be parsed as another number.
function written(text, { phone, number, ext }, options) {
  const international = options.mode === "international" || (options.mode !== "national" && text.trimStart().startsWith("+"));
  const same = (candidate) => {
    const again = read(candidate, options);
    return again.number === number && again.ext === ext;
  };
  return [write(phone, ext, international), write(phone, ext, true)].find(same) ?? text;
}

/**
 * Returns the formatted text, or the text itself. Only formats a field that contains just the number, and never beyond the maximum
 * length, where the visitor's next digit would not fit.
 */
export function tidied(text, reading, options) {
  if (!reading.valid || options.pattern || !wholly(plain(text), reading.found)) {
    return text;
  }
  const better = written(text, { ...reading, ext: reading.found.ext }, options);
  return better.length > options.maxLength || (options.validCharactersOnly && !allowed(better)) ? text : better;
}

/** Returns the text without the grouping of its digits, if it contains just a number; the extension keeps its marker. */
export function ungrouped(text) {
  const flat = plain(text);
  const { found } = read(text);
  return found && wholly(flat, found) ? found.digits + flat.slice(found.numberEnd) : text;
}

/** Returns a valid number and its extension in few characters. Keeps a long marker if a short one would not allow as many digits. */
export function shortest(text, { valid, found, ext }) {
  if (!valid || !wholly(plain(text), found)) {
    return text;
  }
  return ext && found.mostExtDigits <= MOST_SHORT_EXT ? `${found.digits}x${ext}` : ungrouped(text);
}

/** Returns the number of characters that count towards the maximum length: grouping does not count, and a marker counts as one character. */
export function usedLength(text, { valid, found, ext }) {
  if (!valid || !wholly(plain(text), found)) {
    return text.length;
  }
  return found.digits.length + (ext ? 1 + ext.length : 0);
}

const wholly = (text, { start, end }) => /^[\s(]*$/.test(text.slice(0, start)) && /^[\s).#]*$/.test(text.slice(end));

const allowed = (text) => /^[()\-+0-9\s]*$/.test(text);

/** Returns only digits, spaces, brackets, plus and minus; converts digits of other scripts to ASCII. */
export const cleaned = (text) => plain(text).replace(/[^()\-+0-9\s]/g, "");

/** Returns the text of a paste that goes into the field: only its number and extension, or without a number its beginning. */
export function pasted(text, options, longest) {
  const reading = read(text, options);
  const { found } = reading;
  if (!found?.digits) {
    return { text: (options.validCharactersOnly ? cleaned(text) : text.replace(/\s+/g, " ")).slice(0, longest) };
  }
  const flat = plain(text);
  const opening = flat[found.start - 1] === "(" ? "(" : "";
  const number = opening + flat.slice(found.start, found.numberEnd);
  if (found.ext === null) {
    // the extension is too long for its marker: keep it in the field, and the note says so
    const whole = opening + flat.slice(found.start, found.end);
    return { text: options.validCharactersOnly ? cleaned(whole) : whole };
  }
  const withExt = found.ext ? `${number} ext. ${found.ext}` : number;
  const bare = options.validCharactersOnly ? cleaned(number) : withExt;
  const kept = options.validCharactersOnly && found.ext ? { number: reading.number, ext: found.ext } : null;
  return { text: bare, kept };
}

/** Returns the caret's position after a rewrite: with as many digits to its right as before. */
export function caretAfter(before, caret, after) {
  let right = digitsIn(before.slice(caret));
  if (!right && !before.slice(caret).trim()) {
    return after.length;
  }
  let at = after.length;
  while (at > 0 && right > 0) {
    if (/\p{Decimal_Number}/u.test(after[--at])) {
      right -= 1;
    }
  }
  return at;
}

const digitsIn = (text) => text.replace(/\P{Decimal_Number}/gu, "").length;
