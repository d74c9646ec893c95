// The state of a phone field and how it changes. Pure functions; the engine is passed in, because it is loaded late.

/** Returns the state of a field with this text. */
export const initialState = (text) => ({
  text,
  typed: text, // the text without characters added by formatting; its length counts
  country: null,
  isLookupOver: false,
  isManual: false, // nothing overrides a country chosen by hand
  hiddenExt: null, // an extension that the rule of valid characters keeps out of the text
  wasLeft: false, // true if the field has lost the focus since it was empty
  report: null, // of reportOn, on the text
});

/** Returns the options by which the engine parses and formats a text in this state. */
export const optionsOf = ({ country, hiddenExt }, props) => ({
  region: country?.iso2,
  only: props.onlyCountries,
  ignored: props.ignoredCountries,
  mode: props.mode,
  pattern: props.customPattern,
  validCharactersOnly: props.validCharactersOnly,
  maxLength: props.maxLength,
  hiddenExt,
});

/**
 * Returns the state after a change: updates the country from the number, and formats a number that has just become valid.
 * @param {ReturnType<typeof initialState>} previous
 * @param {Partial<ReturnType<typeof initialState>>} change
 * @param {{ engine: any, countries?: any[], props: any, format?: "never" | "ifNew" | "always" }} how
 *   `format`: which valid numbers are formatted; "never" leaves the text as typed
 */
export function nextState(previous, change, { engine, countries, props, format = "ifNew" }) {
  const next = { ...previous, ...change };
  const hasNewText = change.text !== undefined;
  if (hasNewText && change.text !== previous.text && change.typed === undefined) {
    next.typed = change.text;
  }
  if (!engine || !countries) {
    return next;
  }
  let { parsed, payload } = engine.reportOn(next.text, optionsOf(next, props));
  const country = !next.isManual && countryOfNumber(engine, countries, next.country, parsed);
  if (country) {
    next.country = country;
    ({ parsed, payload } = engine.reportOn(next.text, optionsOf(next, props)));
  }
  if (hasNewText && props.autoFormat && !props.customPattern) {
    const isNew = ["number", "ext"].some((name) => payload[name] !== previous.report?.payload[name]);
    // Grouping is only for valid numbers: a number that is no longer valid is shown as typed.
    if (parsed.valid) {
      next.typed = engine.withoutGrouping(next.typed);
    } else if (format !== "never") {
      next.text = next.typed;
    }
    if (format === "always" || (format === "ifNew" && isNew)) {
      next.text = engine.formatted(next.text, parsed, optionsOf(next, props));
    }
  }
  next.report = next.text === change.text ? { parsed, payload } : engine.reportOn(next.text, optionsOf(next, props));
  return next;
}

// Returns the country of a number, if the list offers it; used while none has been chosen by hand.
function countryOfNumber(engine, countries, current, { valid, country, phone, match }) {
  if (valid && country && phone.countryCallingCode !== current?.dialCode) {
    return engine.countryByCode(countries, country);
  }
  if (!match?.digits.startsWith("+")) {
    return null;
  }
  return (
    (valid && engine.countryByCode(countries, country)) || engine.countryOfDigits(countries, match.digits.slice(1), current)
  );
}

/** Returns the input's new text without the grouping added by formatting. */
export function typedTextOf(value, { text, typed }, engine) {
  if (value.startsWith(text)) {
    return typed + value.slice(text.length);
  }
  return engine && typed !== text ? engine.withoutGrouping(value) : value;
}

/** If formatting leaves no room for the next character, returns the text as typed, or else in fewer characters. */
export function fittingText(text, typed, state, { engine, props }) {
  if (!engine || text.length <= props.maxLength) {
    return text;
  }
  const candidates = [typed, engine.shortestForm(text, engine.reportOn(text, optionsOf(state, props)).parsed)];
  return candidates.find(({ length }) => length <= props.maxLength) ?? typed;
}

/** Returns the current maxlength of the input: characters added by formatting do not count. */
export function maxLengthOf({ text, typed, report }, { engine, props }) {
  const used = engine && report ? Math.min(typed.length, engine.usedLength(text, report.parsed)) : typed.length;
  return text.length + Math.max(props.maxLength - used, 0);
}

/** Returns the number's digits as a number of the chosen country. */
export function textInChosenCountry({ country, report, text }) {
  const isInternational = text.trimStart().startsWith("+");
  return `${isInternational ? `+${country.dialCode} ` : ""}${report.parsed.phone.nationalNumber}`;
}
