// Everything that is loaded when a phone field is about to be used: the numbering plans, the countries and their list.
export { read } from "./reading.js";
export { arrange, everyCountry, led, named } from "./countries.js";
export { CountryPicker } from "./country_picker.jsx";
export { caretAfter, cleaned, pasted, report, shortest, tidied, ungrouped, usedLength } from "./writing.js";
