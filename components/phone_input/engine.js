// Everything that is loaded when a phone field is about to be used: the numbering plans, the countries and their list.
export { parsePhone } from "./parse.js";
export { arrange, countryByCode, countryOfDigits, everyCountry } from "./countries.js";
export { CountryPicker } from "./country_picker.jsx";
export {
  caretAfter,
  formatted,
  reportOn,
  shortestForm,
  stripOtherCharacters,
  textOfPaste,
  usedLength,
  withoutGrouping,
} from "./format.js";
