// The line under the field: the number as we understood it, or a sentence that says how to correct it.

/** Fills the {placeholders} of a text. */
export const withValues = (text, values) => text.replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);

const REASONS = {
  too_short: "tooShort",
  too_long: "tooLong",
  invalid_length: "invalidLength",
  invalid_country: "invalidCountry",
};

/**
 * Returns the note for the field. It changes only with its text, so that it is not announced again, and shows no error while typing.
 * @returns {{ kind: string, text?: string, isError?: boolean, numberCountry?: string, chosenCountry?: string }}
 */
export function noteOf({ state, list }, { error, words, invalidText }) {
  const { text, country, wasLeft, report } = state;
  if (error) {
    return { kind: "error", text: error, isError: true };
  }
  if (!report || !text) {
    return { kind: "empty" };
  }
  const { payload, parsed } = report;
  const isOtherCountry = parsed.country && country && parsed.phone.countryCallingCode !== country.dialCode;
  if (payload.valid && isOtherCountry) {
    return disagreement(parsed, country, list, words);
  }
  if (payload.valid) {
    return { kind: "understood", text: understood(payload, parsed, list, words) };
  }
  if (!wasLeft) {
    return { kind: "empty" };
  }
  if (parsed.match?.ext === null) {
    return errorNote(words.extensionTooLong);
  }
  if (payload.verdict !== "possible") {
    return errorNote(words[REASONS[payload.verdict]]);
  }
  if (parsed.valid) {
    return errorNote(words.pattern);
  }
  return { kind: "doubt", text: words.unknown, isError: Boolean(invalidText) }; // only a warning, because numbering plans change
}

const errorNote = (text) => ({ kind: "error", text, isError: true });

const nameOf = (list, iso2) => list.countries.find((country) => country.iso2 === iso2)?.name;

function understood({ ext }, { phone, country }, list, words) {
  const name = nameOf(list, country);
  const sentence = name ? (ext ? words.weCallExtension : words.weCall) : words.weCallNowhere;
  return withValues(sentence, { number: phone.formatInternational(), ext, country: name });
}

function disagreement({ country: code }, country, list, words) {
  const numberCountry = nameOf(list, code);
  if (!numberCountry) {
    return errorNote(words.invalidCountry);
  }
  return {
    kind: "question",
    text: withValues(words.disagree, { number: numberCountry, country: country.name }),
    numberCountry,
    chosenCountry: country.name,
  };
}

/** The line with the note, and the two answers to a question about the country. */
export const Note = ({ id, note, phone, onAnswer }) => {
  const answerWith = (believe) => () => {
    believe();
    onAnswer();
  };
  return (
    <div className="phone-note" id={id} data-kind={note.kind} aria-live="polite">
      {note.text}
      {note.kind === "question" && (
        <span className="phone-answers">
          <button type="button" onClick={answerWith(phone.believeNumber)}>
            {note.numberCountry}
          </button>
          <button type="button" onClick={answerWith(phone.believeCountry)}>
            {note.chosenCountry}
          </button>
        </span>
      )}
    </div>
  );
};
