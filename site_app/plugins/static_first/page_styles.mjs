// Extracts from the stylesheet the rules that each page needs for its first paint, with Lightning CSS, which comes with Tailwind.
// stdin: { root, sheet, pages: { path: { classes, tags, language } } }; stdout: { path: style }
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { root, sheet, pages } = JSON.parse(readFileSync(0));
const { transform } = createRequire(join(root, "package.json"))("lightningcss");

// Tailwind writes each mixed colour a second time for browsers that cannot mix; those lack @layer too, without which nothing here applies.
const MIXING = /@supports \(color: ?color-mix\([^{]*\{((?:[^{}]|\{[^{}]*\})*)\}/g;
const SET_BY_SCRIPT = "dark"; // the class that a script in the page's head adds

/**
 * Returns the style in few characters.
 * @param {Buffer} style
 * @param {string[]} unusedNames classes, custom properties and animations whose rules are left out
 * @param {object} [visitor] Lightning CSS calls its functions for each selector, rule or variable
 */
const minify = (style, unusedNames = [], visitor = undefined) =>
  transform({ filename: "page.css", code: style, minify: true, unusedSymbols: unusedNames, visitor }).code;

const classesIn = (style) => {
  const names = new Set();
  const addClasses = (parts) => parts.filter(({ type }) => type === "class").forEach(({ name }) => names.add(name));
  minify(style, [], { Selector: addClasses });
  return [...names];
};

/** Returns the custom properties and animations that the style declares and never uses. */
const unusedDeclarations = (style) => {
  const usedProperties = new Set();
  const properties = new Set();
  const animations = new Set();
  minify(style, [], {
    Variable: ({ name }) => void usedProperties.add(name.ident),
    Declaration: {
      // Lightning CSS reports `content` as a custom property, too.
      custom: ({ name }) => void (name.startsWith("--") && properties.add(name)),
    },
    Rule: {
      keyframes: ({ value }) => void animations.add(value.name.value),
      property: ({ value }) => void properties.add(value.name),
    },
  });
  const text = style.toString();
  const countOf = (part) => text.split(part).length - 1;
  const isUsedAnimation = (name) => countOf(name) > countOf(`@keyframes ${name}`);
  return [
    ...[...properties].filter((name) => !usedProperties.has(name)),
    ...[...animations].filter((name) => !isUsedAnimation(name)),
  ];
};

/** Returns true if a rule is for another language than the page's, by :lang() on html. Elements in the page may be in another language. */
const isForOtherLanguage = ({ selectors }, language) =>
  selectors.every(
    ([element, condition]) =>
      element.name === "html" && condition?.kind === "lang" && !condition.languages.includes(language),
  );

/** Removes unused declarations until none is left, because an unused property may be the only use of another. */
const withoutUnused = (style) => {
  const shorter = minify(style, unusedDeclarations(style));
  return shorter.length === style.length ? shorter : withoutUnused(shorter);
};

/** Returns the rules for a page with these classes and elements. */
const styleFor = ({ classes, tags, language }) => {
  const absent = new Set(allClasses.filter((name) => name !== SET_BY_SCRIPT && !classes.includes(name)));
  const isAbsent = ({ type, name }) => (type === "class" && absent.has(name)) || (type === "type" && !tags.includes(name));
  const rules = minify(wholeStyle, [...absent], {
    Rule: { style: ({ value }) => (isForOtherLanguage(value, language) ? [] : undefined) },
    Selector: (parts) => (parts.some(isAbsent) ? [] : undefined),
  });
  return withoutUnused(rules).toString().trim();
};

const wholeStyle = Buffer.from(readFileSync(sheet, "utf8").replace(MIXING, "$1"));
const allClasses = classesIn(wholeStyle);
const styles = Object.entries(pages).map(([path, page]) => [path, styleFor(page)]);
process.stdout.write(JSON.stringify(Object.fromEntries(styles)));
