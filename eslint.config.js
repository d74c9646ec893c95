// How JavaScript is written here, and what each folder may import. TypeScript checks types and unknown names (tsconfig.json).
import { defineConfig, globalIgnores } from "eslint/config";
import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import stylistic from "@stylistic/eslint-plugin";

const ALL = ["**/*.{js,jsx,mjs}"];

// Lists what the modules of a folder may import: modules whose names begin so. Of the site they know what is handed in: by props, by the page's
// data attributes, and by the modules that the build writes into $/build_parts.
const layer = (folder, ...allowed) => ({
  files: [`${folder}/**/*.{js,jsx}`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            regex: `^(?!(${allowed.map((name) => name.replace(/^[$.]/, "\\$&")).join("|")})(/|$))`,
            message: `${folder} imports ${allowed.join(", ")} and nothing else`,
          },
        ],
      },
    ],
  },
});
const UI = ["react", "$/components/browser", "$/components/messages", "$/components/ui", "$/components/reliable_form"];

export default defineConfig([
  globalIgnores([".*/", "out/", "var/", "assets/"]),
  { files: ALL, extends: [js.configs.recommended] },
  {
    files: ALL,
    ...stylistic.configs.customize({ quotes: "double", semi: true, arrowParens: true, braceStyle: "1tbs" }),
  },
  {
    files: ALL,
    languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "camelcase": ["error", { properties: "never", ignoreDestructuring: true, allow: ["^UNSAFE_"] }],
      "complexity": ["error", 19],
      "consistent-this": "error",
      "eqeqeq": "error",
      "id-denylist": ["error", "cb", "data", "el", "helper", "temp", "util"],
      "curly": ["error", "all"],
      "id-length": ["error", { min: 2, properties: "never", exceptions: ["t", "x", "y", "_"] }],
      "max-lines": ["error", 500],
      "max-lines-per-function": ["error", 50],
      "no-control-regex": "off",
      "no-empty": ["error", { allowEmptyCatch: true }],
      "no-else-return": "error",
      "no-sequences": ["error", { allowInParentheses: false }],
      "no-undef": "off",
      "no-unused-expressions": "error",
      "no-unused-vars": ["error", { varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "no-var": "error",
      "no-void": ["error", { allowAsStatement: true }],
      "object-shorthand": "error",
      "one-var": ["error", "never"],
      "prefer-const": ["error", { destructuring: "all" }],
      "@stylistic/lines-between-class-members": "off",
      "@stylistic/jsx-closing-bracket-location": "off",
      "@stylistic/jsx-first-prop-new-line": "off",
      "@stylistic/jsx-max-props-per-line": "off",
      "@stylistic/jsx-one-expression-per-line": "off",
      "@stylistic/jsx-wrap-multilines": "off",
      "@stylistic/max-len": ["error", { code: 128, comments: 160, ignoreTrailingComments: true, ignoreRegExpLiterals: true }],
      "@stylistic/max-statements-per-line": ["error", { max: 1 }],
      "@stylistic/multiline-ternary": "off",
      "@stylistic/operator-linebreak": "off",
      "@stylistic/quote-props": "off",
      // These rules and the way in which the lines of the files are broken contradict each other.
      "@stylistic/indent": "off",
      "@stylistic/indent-binary-ops": "off",
      "@stylistic/jsx-curly-newline": "off",
      "@stylistic/jsx-indent": "off",
    },
  },
  {
    files: ["components/**", "site_app/plugins/static_first/browser/**"],
    plugins: { "react-hooks": reactHooks },
    rules: { "react-hooks/rules-of-hooks": "error", "react-hooks/exhaustive-deps": "error" },
  },
  { files: ["tests/**"], rules: { "id-length": "off", "@stylistic/max-len": "off" } },
  layer(
    "components/browser",
    "react",
    "react-router",
    "$/components/browser",
    "$/components/messages",
    "$/components/reliable_form",
    "$/static_first",
    "$/build_parts",
  ),
  layer(
    "components/browser/reader", // plain script
    "$/components/browser/(reader|page|page_events|locale|reload)",
    "$/components/messages/(events|listener|snackbar)",
    "$/components/reliable_form/before_react",
    "$/static_first",
    "$/build_parts",
  ),
  layer(
    "components/messages",
    "$/components/messages",
    "$/components/browser/(page|page_events|locale)",
    "$/static_first",
    "$/build_parts",
    "react", // only state_messages.js: the others are plain scripts
    "$/utils/state",
  ),
  layer("components/reliable_form", "react", "$/components/reliable_form", "$/components/messages/events"),
  layer("site_app/plugins/static_first/browser", "react", "react-router", "@emotion/react", "$/static_first"),
  layer("components/phone_input", ".", "react", "libphonenumber-js", "react-phone-number-input/locale"),
  layer("components/ui", ...UI, "$/components/phone_input/phone_input"),
  layer("components/booking", ...UI, "$/components/booking", "$/static_first"),
  layer("components/layout", "react", "$/components/browser", "$/utils/state"),
]);
