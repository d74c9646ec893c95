// The line under the field: the number as we understood it, or a sentence that says how to correct it.

export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

const REASONS = {
  too_short: "tooShort",
  too_long: "tooLong",
  invalid_length: "invalidLength",
  invalid_country: "invalidCountry",
};

/**
 * Returns the note for the field. It changes only with its text, so that it is not announced again, and shows no error while typing.
 * @returns {{ kind: string, text?: string, wrong?: boolean, theirs?: string, chosen?: string }}
 */
export function noteOf({ state, list }, { error, words, invalidText }) {
  const { text, country, left, report } = state;
  if (error) {
    return { kind: "error", text: error, wrong: true };
  }
  if (!report || !text) {
    return { kind: "empty" };
  }
  const { payload, reading } = report;
  const elsewhere = reading.country && country && reading.phone.countryCallingCode !== country.dialCode;
  if (payload.valid && elsewhere) {
    return disagreement(reading, country, list, words);
  }
  if (payload.valid) {
    return { kind: "understood", text: understood(payload, reading, list, words) };
  }
  if (!left) {
    return { kind: "empty" };
  }
  if (reading.found?.ext === null) {
    return wrong(words.extensionTooLong);
  }
  if (payload.verdict !== "possible") {
    return wrong(words[REASONS[payload.verdict]]);
  }
  if (reading.valid) {
    return wrong(words.pattern);
  }
  return { kind: "doubt", text: words.unknown, wrong: Boolean(invalidText) }; // only a warning, because numbering plans change
}

const wrong = (text) => ({ kind: "error", text, wrong: true });

const nameOf = (list, iso2) => list.countries.find((one) => one.iso2 === iso2)?.name;

function understood({ ext }, { phone, country }, list, words) {
  const name = nameOf(list, country);
  const sentence = name ? (ext ? words.weCallExtension : words.weCall) : words.weCallNowhere;
  return filled(sentence, { number: phone.formatInternational(), ext, country: name });
}

function disagreement({ country: of }, country, list, words) {
  const theirs = nameOf(list, of);
  if (!theirs) {
    return wrong(words.invalidCountry);
  }
  return {
    kind: "question",
    text: filled(words.disagree, { number: theirs, country: country.name }),
    theirs,
    chosen: country.name,
  };
}

export const Note = ({ id, note, phone, onAnswer }) => (
  <div className="phone-note" id={id} data-kind={note.kind} aria-live="polite">
    {note.text}
    {note.kind === "question" && (
      <span className="phone-answers">
        <button type="button" onClick={() => (phone.believeNumber(), onAnswer())}>
          {note.theirs}
        </button>
        <button type="button" onClick={() => (phone.believeCountry(), onAnswer())}>
          {note.chosen}
        </button>
      </span>
    )}
  </div>
);
