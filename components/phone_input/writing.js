// What becomes of the text in the field: kept as typed until it is a valid number, then written as people write it.
import { MOST_SHORT_EXT, plain, read, write } from "./reading.js";

/** What the outside is told about the text (the payload of the verdict event). An empty field has no verdict at all. */
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

/** The developer's own pattern, for the whole text, as the pattern attribute of HTML has it. */
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

// A valid number in the notation of the mode. Nothing is written that would then be read as another number.
function written(text, { phone, number, ext }, options) {
  const international = options.mode === "international" || (options.mode !== "national" && text.trimStart().startsWith("+"));
  const same = (candidate) => {
    const again = read(candidate, options);
    return again.number === number && again.ext === ext;
  };
  return [write(phone, ext, international), write(phone, ext, true)].find(same) ?? text;
}

/**
 * The text to show instead, or the text itself. Only a field that holds nothing but the number is rewritten, and never beyond the
 * length that can be typed: the visitor's next digit would not fit any more.
 */
export function tidied(text, reading, options) {
  if (!reading.valid || options.pattern || !wholly(plain(text), reading.found)) {
    return text;
  }
  const better = written(text, { ...reading, ext: reading.found.ext }, options);
  return better.length > options.maxLength || (options.validCharactersOnly && !allowed(better)) ? text : better;
}

/** The text without the grouping of its digits, if it holds nothing but a number; the extension keeps its marker. */
export function ungrouped(text) {
  const flat = plain(text);
  const { found } = read(text);
  return found && wholly(flat, found) ? found.digits + flat.slice(found.numberEnd) : text;
}

/** A valid number and its extension in few characters. A long marker stays: a short one would not allow as many digits. */
export function shortest(text, { valid, found, ext }) {
  if (!valid || !wholly(plain(text), found)) {
    return text;
  }
  return ext && found.mostExtDigits <= MOST_SHORT_EXT ? `${found.digits}x${ext}` : ungrouped(text);
}

/** How many characters of the longest text are used up: grouping does not count, and a marker is one character, however it is written. */
export function usedLength(text, { valid, found, ext }) {
  if (!valid || !wholly(plain(text), found)) {
    return text.length;
  }
  return found.digits.length + (ext ? 1 + ext.length : 0);
}

const wholly = (text, { start, end }) => /^[\s(]*$/.test(text.slice(0, start)) && /^[\s).#]*$/.test(text.slice(end));

const allowed = (text) => /^[()\-+0-9\s]*$/.test(text);

/** Only digits, spaces, brackets, plus and minus; digits of other scripts become these. */
export const cleaned = (text) => plain(text).replace(/[^()\-+0-9\s]/g, "");

/** What a paste leaves in the field: the number that is in it, its extension, and nothing else. Without a number, its beginning. */
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
    // too long for its marker: it stays in the field, and the note says so
    const whole = opening + flat.slice(found.start, found.end);
    return { text: options.validCharactersOnly ? cleaned(whole) : whole };
  }
  const withExt = found.ext ? `${number} ext. ${found.ext}` : number;
  const bare = options.validCharactersOnly ? cleaned(number) : withExt;
  const kept = options.validCharactersOnly && found.ext ? { number: reading.number, ext: found.ext } : null;
  return { text: bare, kept };
}

/** Where the caret belongs after a rewrite: with as many digits to its right as before. */
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
