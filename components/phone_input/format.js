// Formats the text in the field: keeps it as typed until it is a valid number, then writes it in the usual notation.
import { MAX_SHORT_EXT_DIGITS, asciiDigits, notation, parsePhone } from "./parse.js";

/** Returns the report on a text, { parsed, payload }: the parsed number and the payload of the verdict event. An empty field has no verdict. */
export function reportOn(text, options) {
  const parsed = parsePhone(text, options);
  const { phone } = parsed;
  const fits = matchesPattern(text, options.pattern);
  const ext = parsed.ext || (options.hiddenExt?.number === parsed.number && options.hiddenExt?.ext) || "";
  return {
    parsed: { ...parsed, ext },
    payload: {
      country: text ? parsed.country : null,
      countryCode: parsed.country ?? phone?.country ?? null,
      formatted: parsed.valid ? inMode(text, parsed, options) : text,
      valid: text ? parsed.valid && fits : null,
      possible: text ? parsed.possible : null,
      nationalNumber: parsed.nationalNumber || null,
      number: parsed.number || null,
      ext: ext || null,
      verdict: text ? parsed.verdict : null,
    },
  };
}

/** Returns true if the whole text matches the developer's pattern, as with HTML's pattern attribute. */
export function matchesPattern(text, pattern) {
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
function inMode(text, { phone, number, ext }, options) {
  const international = options.mode === "international" || (options.mode !== "national" && text.trimStart().startsWith("+"));
  const isSameNumber = (candidate) => {
    const reparsed = parsePhone(candidate, options);
    return reparsed.number === number && reparsed.ext === ext;
  };
  return [notation(phone, ext, international), notation(phone, ext, true)].find(isSameNumber) ?? text;
}

/**
 * Returns the formatted text, or the text itself. Only formats a field that contains just the number, and never beyond the maximum
 * length, where the visitor's next digit would not fit.
 */
export function formatted(text, parsed, options) {
  if (!parsed.valid || options.pattern || !isWholeText(asciiDigits(text), parsed.match)) {
    return text;
  }
  const newText = inMode(text, { ...parsed, ext: parsed.match.ext }, options);
  return newText.length > options.maxLength || (options.validCharactersOnly && !isAllowed(newText)) ? text : newText;
}

/** Returns the text without the grouping of its digits, if it contains just a number; the extension keeps its marker. */
export function withoutGrouping(text) {
  const flat = asciiDigits(text);
  const { match } = parsePhone(text);
  return match && isWholeText(flat, match) ? match.digits + flat.slice(match.numberEnd) : text;
}

/** Returns a valid number and its extension in few characters. Keeps a long marker if a short one would not allow as many digits. */
export function shortestForm(text, { valid, match, ext }) {
  if (!valid || !isWholeText(asciiDigits(text), match)) {
    return text;
  }
  return ext && match.mostExtDigits <= MAX_SHORT_EXT_DIGITS ? `${match.digits}x${ext}` : withoutGrouping(text);
}

/** Returns the number of characters that count towards the maximum length: grouping does not count, and a marker counts as one character. */
export function usedLength(text, { valid, match, ext }) {
  if (!valid || !isWholeText(asciiDigits(text), match)) {
    return text.length;
  }
  return match.digits.length + (ext ? 1 + ext.length : 0);
}

const isWholeText = (text, { start, end }) => /^[\s(]*$/.test(text.slice(0, start)) && /^[\s).#]*$/.test(text.slice(end));

const isAllowed = (text) => /^[()\-+0-9\s]*$/.test(text);

/** Returns only digits, spaces, brackets, plus and minus; converts digits of other scripts to ASCII. */
export const stripOtherCharacters = (text) => asciiDigits(text).replace(/[^()\-+0-9\s]/g, "");

/**
 * Returns the text of a paste that goes into the field: only its number and extension, or without a number its beginning. An extension
 * that the rule of valid characters forbids is returned as `hiddenExt`, with its number.
 */
export function textOfPaste(text, options, maxLength) {
  const parsed = parsePhone(text, options);
  const { match } = parsed;
  if (!match?.digits) {
    const line = options.validCharactersOnly ? stripOtherCharacters(text) : text.replace(/\s+/g, " ");
    return { text: line.slice(0, maxLength) };
  }
  const flat = asciiDigits(text);
  const opening = flat[match.start - 1] === "(" ? "(" : "";
  const number = opening + flat.slice(match.start, match.numberEnd);
  if (match.ext === null) {
    // the extension is too long for its marker: keep it in the field, and the note says so
    const overlong = opening + flat.slice(match.start, match.end);
    return { text: options.validCharactersOnly ? stripOtherCharacters(overlong) : overlong };
  }
  const withExt = match.ext ? `${number} ext. ${match.ext}` : number;
  const shownText = options.validCharactersOnly ? stripOtherCharacters(number) : withExt;
  const hiddenExt = options.validCharactersOnly && match.ext ? { number: parsed.number, ext: match.ext } : null;
  return { text: shownText, hiddenExt };
}

/** Returns the caret's position after a rewrite: with as many digits to its right as before. */
export function caretAfter(before, caret, after) {
  let digitsRight = digitsIn(before.slice(caret));
  if (!digitsRight && !before.slice(caret).trim()) {
    return after.length;
  }
  let at = after.length;
  while (at > 0 && digitsRight > 0) {
    if (/\p{Decimal_Number}/u.test(after[--at])) {
      digitsRight -= 1;
    }
  }
  return at;
}

const digitsIn = (text) => text.replace(/\P{Decimal_Number}/gu, "").length;
