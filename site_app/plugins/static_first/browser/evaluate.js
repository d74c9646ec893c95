// Runs the calls that handlers send as text, such as rx.window_alert("Done") or rx.call_script("myFunction(1)"), without eval, which the
// policy of the pages forbids. Understands calls, properties, literals and arrow functions around them.

const TOKENS =
  /\s*(?:(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)|(?<name>[A-Za-z_$][\w$]*)|(?<mark>=>|\?\.|[()[\]{},.:;]))/sy;
const PARAMETERS = /^\(([\w$,]*)\)=>/;
const MAX_LOOKAHEAD_TOKENS = 12; // five parameters: (a, b, c, d, e) =>
const LITERALS = { true: true, false: false, null: null, undefined };

const split = (code) => {
  const tokens = [];
  const end = code.trimEnd().length;
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < end) {
    const found = TOKENS.exec(code);
    if (!found) {
      throw new SyntaxError("not a call");
    }
    tokens.push(found.groups);
  }
  return tokens;
};

const readText = (literal) => {
  const content = literal.slice(1, -1);
  return JSON.parse(literal[0] === "\"" ? literal : `"${content.replaceAll("\\'", "'").replace(/\\?"/g, "\\\"")}"`);
};

// Each method returns a function from the names in scope to a value.
class Parser {
  constructor(code) {
    this.tokens = split(code);
    this.at = 0;
  }

  get mark() {
    return this.tokens[this.at]?.mark;
  }

  take(mark) {
    const isNext = this.mark === mark;
    this.at += isNext ? 1 : 0;
    return isNext;
  }

  require(mark) {
    if (!this.take(mark)) {
      throw new SyntaxError("not a call");
    }
  }

  whole() {
    const value = this.expression();
    this.take(";");
    if (this.at < this.tokens.length) {
      throw new SyntaxError("more than one call");
    }
    return value;
  }

  expression() {
    const lookahead = this.tokens.slice(this.at, this.at + MAX_LOOKAHEAD_TOKENS);
    const text = lookahead.map(({ mark, name }) => mark ?? name ?? " ").join("");
    const parameters = PARAMETERS.exec(text)?.[1];
    return parameters === undefined ? this.chain() : this.arrow(parameters.split(",").filter(Boolean));
  }

  arrow(parameters) {
    while (!this.take("=>")) {
      this.at++;
    }
    const isBlock = this.take("{");
    const body = this.expression();
    if (isBlock) {
      this.take(";");
      this.require("}");
    }
    return (scope) => (...values) => {
      const result = body({ ...scope, ...Object.fromEntries(parameters.map((name, index) => [name, values[index]])) });
      return isBlock ? undefined : result;
    };
  }

  chain() {
    const first = this.primary();
    const links = [];
    for (;;) {
      const isOptional = this.take("?.");
      if (this.take("(")) {
        links.push({ isOptional, values: this.list(")") });
      } else if (this.take("[")) {
        const key = this.expression();
        this.require("]");
        links.push({ isOptional, key });
      } else if (isOptional || this.take(".")) {
        const { name } = this.tokens[this.at++] ?? {};
        links.push({ isOptional, key: () => name });
      } else {
        break;
      }
    }
    return links.length ? (scope) => {
      let value = first(scope);
      let owner;
      for (const { isOptional, key, values } of links) {
        if (isOptional && (value === undefined || value === null)) {
          return undefined;
        }
        [owner, value] = key ? [value, value[key(scope)]] : [undefined, value.apply(owner, values.map((each) => each(scope)))];
      }
      return value;
    } : first;
  }

  primary() {
    const { text, number, name, mark } = this.tokens[this.at++] ?? {};
    if (text !== undefined) {
      return () => readText(text);
    }
    if (number !== undefined) {
      return () => Number(number);
    }
    if (name !== undefined) {
      return this.named(name);
    }
    if (mark === "(") {
      const value = this.expression();
      this.require(")");
      return value;
    }
    if (mark === "[") {
      const values = this.list("]");
      return (scope) => values.map((each) => each(scope));
    }
    if (mark === "{") {
      return this.object();
    }
    throw new SyntaxError("not a call");
  }

  named(name) {
    if (Object.hasOwn(LITERALS, name)) {
      return () => LITERALS[name];
    }
    return (scope) => {
      if (!Object.hasOwn(scope, name) && !(name in globalThis)) {
        throw new ReferenceError(`${name} is not defined`);
      }
      return Object.hasOwn(scope, name) ? scope[name] : globalThis[name];
    };
  }

  list(end) {
    const values = [];
    while (!this.take(end)) {
      values.push(this.expression());
      if (this.mark !== end) {
        this.require(",");
      }
    }
    return values;
  }

  object() {
    const pairs = [];
    while (!this.take("}")) {
      pairs.push([this.key(), this.expression()]);
      if (this.mark !== "}") {
        this.require(",");
      }
    }
    return (scope) => Object.fromEntries(pairs.map(([key, value]) => [key(scope), value(scope)]));
  }

  key() {
    let key;
    if (this.take("[")) {
      key = this.expression();
      this.require("]");
    } else {
      const { name, text } = this.tokens[this.at++] ?? {};
      key = () => name ?? readText(text);
    }
    this.require(":");
    return key;
  }
}

/** Returns the value of an expression; `scope` has names that are not global. Throws a SyntaxError with advice if it is not a call. */
export const evaluate = (code, scope = {}) => {
  let value;
  try {
    value = new Parser(code).whole();
  } catch {
    throw new SyntaxError(
      `The policy of the pages runs no text as a script, only a single call: ${code}. Write a function into a file in ` +
      "assets/, load it with rx.script(src=\"/file.js\"), and call it: rx.call_script(\"myFunction(1)\").",
    );
  }
  return value(scope);
};
