// Extracts from the stylesheet the rules that each page needs. Elements that are closed at first, such as dialogs, and hovered and pressed ones
// get their rules apart: a page that fits the network's first ten packets arrives a round trip earlier.
// Lightning CSS, which comes with Tailwind, selects the rules by the names in their selectors; PostCSS replaces values, because it returns each
// as text, where Lightning CSS has a type for each kind of value.
// stdin: { root, sheet, pages: { key: { classes, tags, shownClasses, shownTags, language, fixedNames } } }; stdout: { key: { first, closed } }
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { root, sheet, pages } = JSON.parse(readFileSync(0));
const packageOf = createRequire(join(root, "package.json"));
const { transform } = packageOf("lightningcss");
const postcss = packageOf("postcss");
const parseValue = packageOf("postcss-value-parser");

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

/** Returns the words in the values that may name an animation. */
const animationWords = (style) => {
  const words = new Set();
  postcss.parse(style).walkDecls(/animation|^--/, ({ value }) => {
    parseValue(value).walk((node) => {
      words.add(node.value);
    });
  });
  return words;
};

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
  const words = animations.size ? animationWords(style) : new Set();
  return [
    ...[...properties].filter((name) => !usedProperties.has(name)),
    ...[...animations].filter((name) => !words.has(name)),
  ];
};

/** Returns true if a selector is for another language than the page's, by :lang() on html. Elements in the page may be in another language. */
const isForOtherLanguage = ([element, condition], language) =>
  element.name === "html" && condition?.kind === "lang" && !condition.languages.includes(language);

/** Returns the style without the fonts that nothing in it names. */
const withoutUnusedFonts = (style) => {
  const parsed = postcss.parse(style);
  const families = [];
  const values = [];
  parsed.walkDecls((declaration) => {
    if (declaration.parent.name !== "font-face") {
      values.push(declaration.value);
    } else if (declaration.prop === "font-family") {
      families.push(declaration);
    }
  });
  for (const { value, parent } of families) {
    const name = value.replace(/^["']|["']$/g, "");
    if (!values.some((text) => text.includes(name))) {
      parent.remove();
    }
  }
  return Buffer.from(parsed.toString());
};

const CONDITIONS = ["media", "supports", "container"];
const isConditional = (node) => Boolean(node) && (CONDITIONS.includes(node.name) || isConditional(node.parent));
const isRoot = ({ selectors = [] }) => selectors[0] === ":root" && selectors.slice(1).every((selector) => selector === ":host");
// Tailwind repeats the initial values of its properties for browsers without @property.
const repeatsInitialValues = ({ selectors = [] }) => selectors.length > 1 && selectors.includes("*");

/** Returns the style without the properties of :root that the page's language declares again, on html:lang(). */
const withoutOverridden = (style) => {
  const parsed = postcss.parse(style);
  const ofLanguage = new Set();
  parsed.walkRules(/^html:lang\([^)]*\)$/, (rule) => {
    if (!isConditional(rule)) {
      rule.walkDecls(/^--/, ({ prop }) => ofLanguage.add(prop));
    }
  });
  parsed.walkDecls(/^--/, (declaration) => {
    if (isRoot(declaration.parent) && ofLanguage.has(declaration.prop)) {
      declaration.remove();
    }
  });
  return Buffer.from(parsed.toString());
};

/**
 * Returns the values of constant custom properties, and the names of the others. A property is constant if it is declared once, on :root or as
 * an initial value, without a condition and without var().
 */
const constantsIn = (parsed) => {
  const values = new Map();
  const changing = new Set();
  const declare = (name, value, isForAll) => {
    if (!isForAll || values.has(name) || value.includes("var(")) {
      changing.add(name);
    }
    values.set(name, value);
  };
  parsed.walkDecls(/^(--.*|initial-value)$/, ({ prop, value, parent }) => {
    if (parent.name === "property") {
      declare(parent.params, value, !isConditional(parent));
    } else if (!repeatsInitialValues(parent)) {
      declare(prop, value, isRoot(parent) && !isConditional(parent));
    }
  });
  return { values, changing };
};

/** Returns the style with the value of each constant property in its place, and the fallback of each property that the page never declares. */
const folded = (style, fixedNames) => {
  const parsed = postcss.parse(style);
  const { values, changing } = constantsIn(parsed);
  const foldText = (text) => parseValue(text).walk(foldUse).toString();
  // Replaces var(--name, fallback); its parts are the name, the comma and what follows. Leaves a use that stays as it is, with its fallback.
  const foldUse = (node) => {
    if (node.type !== "function" || node.value !== "var") {
      return true;
    }
    const [{ value: name }, comma, ...fallback] = node.nodes;
    const value = values.get(name) ?? (comma && foldText(parseValue.stringify(fallback)));
    if (value !== undefined && !changing.has(name) && !fixedNames.includes(name)) {
      Object.assign(node, { type: "word", value });
    }
    return false;
  };
  parsed.walkDecls((declaration) => {
    declaration.value = foldText(declaration.value);
  });
  return Buffer.from(parsed.toString());
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
    Selector: (parts) => (parts.some(isAbsent) || isForOtherLanguage(parts, language) ? [] : undefined),
  });
  const style = withoutOverridden(rules);
  return withoutUnused(fixedNames ? folded(withoutUnused(style), fixedNames) : style);
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
  const shownStyle = minify(style, [], forShown);
  const shownWords = animationWords(shownStyle);
  const keyframes = ({ value }) => (shownWords.has(value.name.value) ? undefined : []);
  const first = minify(shownStyle, [], { Rule: { keyframes } }).toString().trim();
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

const PROPERTY = /(?<![\w-])--[a-z][\w-]*/g; // the name is one word wherever it stands: in a declaration, var(), @property or a style query

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

/** Returns a value without the spaces around commas and slashes, which Lightning CSS keeps where a value has var(). */
const withoutSpaces = (value) => {
  const parsed = parseValue(value);
  parsed.walk((node) => {
    if (node.type === "div") {
      Object.assign(node, { before: "", after: "" });
    }
  });
  return parsed.toString();
};

/**
 * Returns the whole sheet without Tailwind's licence, which the file keeps. Every mixed colour, which Tailwind writes a second time for browsers that
 * can mix, replaces the first, to save bytes: Chrome before 111 and Firefox before 113 go without that colour. Text must be readable without it.
 */
const readSheet = () => {
  const root = postcss.parse(readFileSync(sheet, "utf8"));
  root.walkComments((comment) => {
    comment.remove();
  });
  root.walkAtRules("supports", (rule) => {
    if (/^\(color: ?color-mix\(/.test(rule.params)) {
      rule.replaceWith(rule.nodes);
    }
  });
  root.walkDecls((declaration) => {
    declaration.value = withoutSpaces(declaration.value);
  });
  return Buffer.from(root.toString());
};

const wholeStyle = readSheet();
const allClasses = classesIn(wholeStyle);
const shortNames = shortNamesFor(wholeStyle.toString());
const styles = Object.entries(pages).map(([key, page]) => [key, shortened(split(styleFor(page), page), page)]);
process.stdout.write(JSON.stringify(Object.fromEntries(styles)));
