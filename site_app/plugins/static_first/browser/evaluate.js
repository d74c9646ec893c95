// Runs the calls that handlers send as text, such as rx.window_alert("Done") or rx.call_script("myFunction(1)"), without eval, which the
// policy of the pages forbids. Reads a small part of JavaScript:
//
//   program    = expression [";"]
//   expression = arrow | chain ["??" chain]
//   arrow      = "(" [name {"," name}] ")" "=>" (expression | "{" (assignment | expression) [";"] "}" | "{" remainder "}")
//   assignment = "refs" "[" text "]" "=" expression, as client_state.push sends it for a value that no element shows yet
//   remainder  = "let" "{" {name ","} "..." name "}" "=" expression ";" "return" name, as rx.toast sends it for what its events pass on
//   chain      = value {["?."] "(" list ")" | ["?."] "[" expression "]" | ("." | "?.") name}
//   value      = text | number | name | "(" expression ")" | "[" list "]" | "{" [pair {"," pair} [","]] "}"
//   list       = [expression {"," expression} [","]]
//   pair       = (name | text | "[" expression "]") ":" expression

const TOKENS =
  /\s*(?:(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)|(?<name>[A-Za-z_$][\w$]*)|(?<mark>=>|\?\.|\?\?|\.\.\.|[()[\]{},.:;=]))/sy;
const PARAMETERS = /^\(([\w$,]*)\)=>/;
const MAX_LOOKAHEAD_TOKENS = 12; // five parameters: (a, b, c, d, e) =>
const LITERALS = { true: true, false: false, null: null, undefined };

const refusal = (code) =>
  new SyntaxError(
    `The policy of the pages runs no text as a script, only a single call: ${code}. Write a function into a file in ` +
    "assets/, load it with rx.script(src=\"/file.js\"), and call it: rx.call_script(\"myFunction(1)\").",
  );

const tokenize = (code) => {
  const tokens = [];
  const end = code.trimEnd().length;
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < end) {
    const match = TOKENS.exec(code);
    if (!match) {
      throw refusal(code);
    }
    tokens.push(match.groups);
  }
  return tokens;
};

const readText = (literal) => {
  const content = literal.slice(1, -1);
  return JSON.parse(literal[0] === "\"" ? literal : `"${content.replaceAll("\\'", "'").replace(/\\?"/g, "\\\"")}"`);
};

// Calls a function, or reads a property, for each link of a chain such as `.clipboard.writeText("x")`.
const follow = (links, start, scope) => {
  let value = start;
  let owner;
  for (const { isOptional, key, values } of links) {
    if (isOptional && (value === undefined || value === null)) {
      return undefined;
    }
    [owner, value] = key
      ? [value, value[key(scope)]]
      : [undefined, value.apply(owner, values.map((evaluator) => evaluator(scope)))];
  }
  return value;
};

// Its methods follow the rules of the grammar; each returns a function from the names in scope to a value.
class Parser {
  constructor(code) {
    this.code = code;
    this.tokens = tokenize(code);
    this.position = 0;
  }

  get mark() {
    return this.tokens[this.position]?.mark;
  }

  next() {
    return this.tokens[this.position++] ?? {};
  }

  accept(mark) {
    const isNext = this.mark === mark;
    this.position += isNext ? 1 : 0;
    return isNext;
  }

  expect(mark) {
    if (!this.accept(mark)) {
      throw refusal(this.code);
    }
  }

  program() {
    const value = this.expression();
    this.accept(";");
    if (this.position < this.tokens.length) {
      throw refusal(this.code);
    }
    return value;
  }

  expression() {
    const lookahead = this.tokens.slice(this.position, this.position + MAX_LOOKAHEAD_TOKENS);
    const text = lookahead.map(({ mark, name }) => mark ?? name ?? " ").join("");
    const parameters = PARAMETERS.exec(text)?.[1];
    return parameters === undefined ? this.coalesced() : this.arrow(parameters.split(",").filter(Boolean));
  }

  coalesced() {
    const first = this.chain();
    if (!this.accept("??")) {
      return first;
    }
    const second = this.chain();
    return (scope) => first(scope) ?? second(scope);
  }

  arrow(parameters) {
    while (!this.accept("=>")) {
      this.position++;
    }
    const body = this.accept("{") ? this.block() : this.expression();
    return (scope) => (...values) =>
      body({ ...scope, ...Object.fromEntries(parameters.map((name, index) => [name, values[index]])) });
  }

  block() {
    if (this.tokens[this.position]?.name === "let") {
      return this.remainder();
    }
    const statement = this.isAssignment() ? this.assignment() : this.expression();
    this.accept(";");
    this.expect("}");
    return (scope) => {
      statement(scope);
    };
  }

  isAssignment() {
    const [object, open, key, close, equals] = this.tokens.slice(this.position);
    return (
      object?.name === "refs" && open?.mark === "[" && key?.text !== undefined && close?.mark === "]" && equals?.mark === "="
    );
  }

  assignment() {
    const key = this.text(this.tokens[this.position + 2].text);
    this.position += 5;
    const value = this.expression();
    return (scope) => {
      scope.refs[key()] = value(scope);
    };
  }

  remainder() {
    const names = [];
    this.next();
    this.expect("{");
    while (!this.accept("...")) {
      names.push(this.next().name);
      this.expect(",");
    }
    const { name: rest } = this.next();
    this.expect("}");
    this.expect("=");
    const value = this.expression();
    this.expect(";");
    if (this.next().name !== "return" || this.next().name !== rest) {
      throw refusal(this.code);
    }
    this.expect("}");
    return (scope) => Object.fromEntries(Object.entries(value(scope)).filter(([name]) => !names.includes(name)));
  }

  chain() {
    const first = this.value();
    const links = [];
    for (;;) {
      const isOptional = this.accept("?.");
      if (this.accept("(")) {
        links.push({ isOptional, values: this.list(")") });
      } else if (this.accept("[")) {
        const key = this.expression();
        this.expect("]");
        links.push({ isOptional, key });
      } else if (isOptional || this.accept(".")) {
        const { name } = this.next();
        links.push({ isOptional, key: () => name });
      } else {
        break;
      }
    }
    return links.length ? (scope) => follow(links, first(scope), scope) : first;
  }

  value() {
    const { text, number, name, mark } = this.next();
    if (text !== undefined) {
      return this.text(text);
    }
    if (number !== undefined) {
      return () => Number(number);
    }
    if (name !== undefined) {
      return this.named(name);
    }
    if (mark === "(") {
      const value = this.expression();
      this.expect(")");
      return value;
    }
    if (mark === "[") {
      const values = this.list("]");
      return (scope) => values.map((evaluator) => evaluator(scope));
    }
    if (mark === "{") {
      return this.object();
    }
    throw refusal(this.code);
  }

  text(literal) {
    try {
      const string = readText(literal);
      return () => string;
    } catch {
      throw refusal(this.code); // an escape that JSON does not know, such as "\x41"
    }
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
    while (!this.accept(end)) {
      values.push(this.expression());
      if (this.mark !== end) {
        this.expect(",");
      }
    }
    return values;
  }

  object() {
    const pairs = [];
    while (!this.accept("}")) {
      pairs.push([this.key(), this.expression()]);
      if (this.mark !== "}") {
        this.expect(",");
      }
    }
    return (scope) => Object.fromEntries(pairs.map(([key, value]) => [key(scope), value(scope)]));
  }

  key() {
    let key;
    if (this.accept("[")) {
      key = this.expression();
      this.expect("]");
    } else {
      const { name, text } = this.next();
      key = name === undefined ? this.text(text) : () => name;
    }
    this.expect(":");
    return key;
  }
}

/** Returns the value of an expression; `scope` has names that are not global. Throws a SyntaxError with advice if it is not a call. */
export const evaluate = (code, scope = {}) => new Parser(code).program()(scope);

/** Returns the advice that `evaluate` would throw for this text, or "" if it runs it. */
export const adviceOn = (code) => {
  try {
    new Parser(code).program();
    return "";
  } catch (error) {
    return error.message;
  }
};
