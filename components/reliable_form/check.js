// Checks fields before they are sent, by rules from the provider's contract. The provider validates again; these checks never refuse a
// value that the provider would accept.

// Counts as the provider does: composed, trimmed, single spaces in single-line fields, and code points instead of UTF-16 units.
const BLANK = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"; // Python's, not JavaScript's
const BLANKS = new RegExp(`${BLANK}+`, "g");
const EDGES = new RegExp(`^${BLANK}+|${BLANK}+$`, "g");
const BREAKS = /\r\n?|[\v\f\x85\u2028\u2029]/g;
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069\ufeff]/g;
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

const asProviderCounts = (text, { lines }) => {
  const counted = lines
    ? text.replace(BREAKS, "\n").replace(DIRECTION_OVERRIDES, "")
    : text.replace(BLANKS, " ").replace(EDGES, "").replace(DIRECTION_MARKS, "");
  return counted.replace(CONTROLS, "").normalize("NFC").replace(EDGES, "");
};

const EMAIL = /^[^\s@]+@[^\s@.。．｡]+([.。．｡][^\s@.。．｡]+)+$/u;
const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/** Returns the message for a field, or "". `rule`: required, email and url as messages, least and most as [number, message], lines, list. */
export const checkField = (rule, value) => {
  if (!rule) {
    return "";
  }
  if (rule.list) {
    return rule.required && !value?.length ? rule.required : "";
  }
  const text = asProviderCounts(value ?? "", rule);
  const count = [...text].length;
  if (!count) {
    return rule.required ?? "";
  }
  if (rule.least && count < rule.least[0]) {
    return rule.least[1];
  }
  if (rule.most && count > rule.most[0]) {
    return rule.most[1];
  }
  if (rule.email && !EMAIL.test(text)) {
    return rule.email;
  }
  if (rule.url && !WEB_ADDRESS.test(text)) {
    return rule.url;
  }
  return "";
};

/** Returns the messages of all wrong fields, by name. */
export const checkForm = (rules, values) => {
  const verdicts = Object.entries(rules).map(([name, rule]) => [name, checkField(rule, values[name])]);
  return Object.fromEntries(verdicts.filter(([, message]) => message));
};
