// Extracts from the stylesheet the rules that each page needs for its first paint, with Lightning CSS, which comes with Tailwind.
// stdin: { root, sheet, pages: { path: { classes, tags, language } } }; stdout: { path: style }
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { root, sheet, pages } = JSON.parse(readFileSync(0));
const { transform } = createRequire(join(root, "package.json"))("lightningcss");
const shorten = (code, unusedSymbols = [], visitor = undefined) =>
  transform({ filename: "page.css", code, minify: true, unusedSymbols, visitor }).code;

// Tailwind writes each mixed colour a second time for browsers that cannot mix; those lack @layer too, without which nothing here applies.
const MIXING = /@supports \(color: ?color-mix\([^{]*\{((?:[^{}]|\{[^{}]*\})*)\}/g;
const sheetText = Buffer.from(readFileSync(sheet, "utf8").replace(MIXING, "$1"));
const classNames = new Set();
shorten(sheetText, [], { Selector: (parts) => parts.forEach((part) => part.type === "class" && classNames.add(part.name)) });

// Returns the custom properties and animations that are declared and never used. Repeated until nothing is left to remove, because
// an unused property may be the only use of another.
const unread = (code) => {
  const read = new Set();
  const declared = new Set();
  const animations = new Set();
  const text = code.toString();
  shorten(code, [], {
    Variable: ({ name }) => void read.add(name.ident),
    Declaration: { custom: ({ name }) => void (name.startsWith("--") && declared.add(name)) }, // Lightning CSS reports `content` as custom, too
    Rule: {
      keyframes: ({ value }) => void animations.add(value.name.value),
      property: ({ value }) => void declared.add(value.name),
    },
  });
  const named = (name) => text.split(name).length - text.split(`@keyframes ${name}`).length;
  return [...[...declared].filter((name) => !read.has(name)), ...[...animations].filter((name) => !named(name))];
};
// Matches rules for another language than the page's by :lang() on html; elements inside the page may still be in another language.
const ofOther =
  (language) =>
  ({ selectors }) =>
    selectors.every(([html, is]) => html.name === "html" && is?.kind === "lang" && !is.languages.includes(language));
const part = ({ classes, tags, language }) => {
  const absent = new Set([...classNames].filter((name) => name !== "dark" && !classes.includes(name))); // dark is set by a script
  const otherLanguages = ofOther(language);
  const isAbsent = ({ type, name }) => (type === "class" && absent.has(name)) || (type === "type" && !tags.includes(name));
  const visitor = {
    Rule: { style: (rule) => (otherLanguages(rule.value) ? [] : undefined) },
    Selector: (parts) => (parts.some(isAbsent) ? [] : undefined),
  };
  let style = shorten(sheetText, [...absent], visitor);
  for (let names = unread(style), length = 0; length !== style.length; names = unread(style)) {
    ({ length } = style);
    style = shorten(style, names);
  }
  return style.toString().trim();
};

process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, part(page)]))));
