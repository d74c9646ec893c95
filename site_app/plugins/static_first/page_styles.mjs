// Extracts from the stylesheet the rules that each page needs, with Lightning CSS, which comes with Tailwind. Elements that are closed at first,
// such as dialogs, and hovered and pressed ones get their rules apart: a page that fits the network's first ten packets arrives a round trip earlier.
// stdin: { root, sheet, pages: { key: { classes, tags, shownClasses, shownTags, language, fixedNames } } }; stdout: { key: { first, closed } }
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

/** Returns true if a declaration has this word in its value. */
const usesAnimation = (style, name) => new RegExp(`:[^;{}]*(?<![\\w-])${name}(?![\\w-])`).test(style);

/** Returns the custom properties and animations that the style declares and never uses. */
const unusedDeclarations = (style) => {
  const usedProperties = new Set();
  const properties = new Set();
  const animations = new Set();
  minify(style, [], {
    Variable({ name }) {
      usedProperties.add(name.ident);
    },
    Declaration: {
      // Lightning CSS reports `content` as a custom property, too.
      custom({ name }) {
        if (name.startsWith("--")) {
          properties.add(name);
        }
      },
    },
    Rule: {
      keyframes({ value }) {
        animations.add(value.name.value);
      },
      property({ value }) {
        properties.add(value.name);
      },
    },
  });
  return [
    ...[...properties].filter((name) => !usedProperties.has(name)),
    ...[...animations].filter((name) => !usesAnimation(style, name)),
  ];
};

/** Returns true if a rule is for another language than the page's, by :lang() on html. Elements in the page may be in another language. */
const isForOtherLanguage = ({ selectors }, language) =>
  selectors.every(
    ([element, condition]) =>
      element.name === "html" && condition?.kind === "lang" && !condition.languages.includes(language),
  );

/** Returns the style without the fonts that nothing in it names. */
const withoutUnusedFonts = (style) => {
  const elsewhere = style.toString().replaceAll(/@font-face\{[^}]*\}/g, "");
  const isNamed = ({ value }) => elsewhere.includes(value.properties.find(({ type }) => type === "font-family").value);
  return minify(style, [], { Rule: { "font-face": (rule) => (isNamed(rule) ? undefined : []) } });
};

const BLOCK = /([^{}]*)\{([^{}]*)\}/g;
const CONDITION = /@(?:media|supports|container)[^{]*\{((?:[^{}]|\{[^{}]*\})*)\}/g;
const DECLARATION = /(?<![^;])(--[\w-]+|initial-value):([^;]*)/g;
const EVERY_ELEMENT = /(^|[;,])\*,/; // Tailwind says initial values again for browsers without @property
const IN_PARENTHESES = String.raw`(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*`;
const USE = new RegExp(String.raw`var\((--[\w-]+)(?:,(${IN_PARENTHESES}))?\)`, "g");

/**
 * Returns the values of constant custom properties, and the names of the others. A property is constant if it is declared once, on :root or as
 * an initial value, without var().
 */
const constantsIn = (style) => {
  const values = new Map();
  const changing = new Set();
  const conditional = [...style.matchAll(CONDITION)].map(([, rules]) => rules).join("");
  for (const [block, selector, declarations] of style.matchAll(BLOCK)) {
    const property = /@property (--[\w-]+)$/.exec(selector)?.[1];
    const isForAll = property || /:root(,:host)?$/.test(selector);
    for (const [, name, value] of EVERY_ELEMENT.test(selector) ? [] : declarations.matchAll(DECLARATION)) {
      const declared = property ?? name;
      if (!isForAll || values.has(declared) || value.includes("var(") || conditional.includes(block)) {
        changing.add(declared);
      }
      values.set(declared, value);
    }
  }
  return { values, changing };
};

/** Returns the style with the value of each constant property in its place, and the fallback of each property that the page never declares. */
const folded = (style, fixedNames) => {
  const { values, changing } = constantsIn(style.toString());
  const valueOf = (use, name, fallback) =>
    fixedNames.includes(name) || changing.has(name) ? use : (values.get(name) ?? fallback ?? use);
  const foldText = (text) => {
    const shorter = text.replaceAll(USE, valueOf);
    return shorter === text ? text : foldText(shorter); // a fallback may use another property
  };
  return Buffer.from(foldText(style.toString()));
};

/** Removes unused declarations until none is left, because an unused property may be the only use of another. */
const withoutUnused = (style) => {
  const shorter = minify(style, unusedDeclarations(style));
  return shorter.length === style.length ? withoutUnusedFonts(shorter) : withoutUnused(shorter);
};

/** Returns all rules for a page with these classes and elements. */
const styleFor = ({ classes, tags, language, fixedNames }) => {
  const absent = new Set(allClasses.filter((name) => name !== SET_BY_SCRIPT && !classes.includes(name)));
  const isAbsent = ({ type, name }) => (type === "class" && absent.has(name)) || (type === "type" && !tags.includes(name));
  const rules = minify(wholeStyle, [...absent], {
    Rule: { style: ({ value }) => (isForOtherLanguage(value, language) ? [] : undefined) },
    Selector: (parts) => (parts.some(isAbsent) ? [] : undefined),
  });
  return withoutUnused(fixedNames ? folded(withoutUnused(rules), fixedNames) : rules);
};

// An element opened before its rules have loaded stays invisible, for at most a second. A browser that does not know popovers would show them.
const NO_POPOVERS = "@supports not selector(:popover-open){[popover]{display:none}}";
const INVISIBLE = `dialog,[popover]{animation:unstyled 1s step-end}${NO_POPOVERS}`;
const HIDE_UNSTYLED = `@keyframes unstyled{0%{opacity:0}}@layer unstyled{${INVISIBLE}}`;
const SHOW_STYLED = "@layer unstyled{dialog,[popover]{animation:none}}";

const AFTER_ACTIVITY = ["hover", "active"]; // not :focus-visible: the first key would move an invisible focus until the rules are there

/**
 * Returns the rules of a page for the elements as they are shown at first, and all others. Custom properties stay with the
 * first, since the others use them, too, and an animation is where it is used.
 */
const split = (style, { shownClasses, shownTags }) => {
  const isShown = ({ type, name, kind }) =>
    ({
      class: name === SET_BY_SCRIPT || shownClasses.includes(name),
      type: shownTags.includes(name),
      "pseudo-class": !AFTER_ACTIVITY.includes(kind),
    })[type] ?? true;
  const forShown = { Selector: (parts) => (parts.every(isShown) ? undefined : []) };
  const shown = minify(style, [], forShown);
  const keyframes = ({ value }) => (usesAnimation(shown, value.name.value) ? undefined : []);
  const first = minify(shown, [], { Rule: { keyframes } }).toString().trim();
  const forOthers = {
    Selector: (parts) => (parts.every(isShown) ? [] : undefined),
    Rule: {
      keyframes: (rule) => (keyframes(rule) ? undefined : []),
      "font-face": () => [],
      property: () => [],
      "layer-statement": () => [],
    },
  };
  const closed = minify(style, [], forOthers).toString().trim();
  const hasRules = closed.includes("{");
  return hasRules ? { first: HIDE_UNSTYLED + first, closed: SHOW_STYLED + closed } : { first, closed: "" };
};

const PROPERTY = /(?<![\w-])--[a-z][\w-]*/g;

/** Returns a short name for each custom property that the style declares, the shortest for the one that is used most. */
const shortNamesFor = (style) => {
  const counts = new Map();
  for (const [name] of style.matchAll(PROPERTY)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const declared = [...counts.keys()].filter((name) => style.includes(`${name}:`));
  const byUse = declared.sort((left, right) => counts.get(right) - counts.get(left) || (left < right ? -1 : 1));
  return new Map(byUse.map((name, index) => [name, `--_${index.toString(36)}`]));
};

/** Returns both parts with short names. Those that the page or a script names keep theirs, and all do if `fixedNames` is null. */
const shortened = ({ first, closed }, { fixedNames }) => {
  const shorter = (style) =>
    style.replace(PROPERTY, (name) => (fixedNames.includes(name) ? name : (shortNames.get(name) ?? name)));
  return fixedNames ? { first: shorter(first), closed: shorter(closed) } : { first, closed };
};

const LICENCE = /^\/\*!.*?\*\//; // Tailwind's, which the whole sheet keeps
const wholeStyle = Buffer.from(readFileSync(sheet, "utf8").replace(MIXING, "$1").replace(LICENCE, ""));
const allClasses = classesIn(wholeStyle);
const shortNames = shortNamesFor(wholeStyle.toString());
const styles = Object.entries(pages).map(([key, page]) => [key, shortened(split(styleFor(page), page), page)]);
process.stdout.write(JSON.stringify(Object.fromEntries(styles)));
