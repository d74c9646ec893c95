// Records what a visitor does to elements that have handlers until React is there; replay.js then repeats it in the same order. Elements say
// for which events they have handlers: data-react="click change".

const HELD = ["click", "dblclick", "contextmenu", "submit"]; // what the browser would do by itself waits, too
const REPEATED = [
  "keydown",
  "keyup",
  "focusin",
  "focusout",
  "pointerdown",
  "pointerup",
  "pointerover",
  "mousedown",
  "mouseup",
  "mouseover",
];
const HANDLERS = {
  focusin: "focus",
  focusout: "blur",
  pointerover: "pointerenter",
  mouseover: "mouseenter",
  input: "change",
}; // events that React gives to handlers of another name

const FIELDS = "input, select, textarea";

/** The element with a handler for this event that is nearest to its target. */
export const handledBy = ({ type, target }) =>
  target.closest?.(
    [type, HANDLERS[type]]
      .filter(Boolean)
      .map((name) => `[data-react~="${name}"]`)
      .join(),
  );

/** The state of a field, as text or, of a checkbox, as a boolean. */
export const readField = (field) => {
  if (field.type === "checkbox" || field.type === "radio") {
    return field.checked;
  }
  return field.multiple ? [...field.selectedOptions].map((option) => option.value).join("\n") : field.value;
};

/** The state that the HTML of a field gives it. */
export const writtenValue = (field) => {
  if (field.type === "checkbox" || field.type === "radio") {
    return field.defaultChecked;
  }
  if (field.tagName !== "SELECT") {
    return field.type === "range" ? rangeDefault(field) : field.defaultValue;
  }
  const defaults = [...field.options].filter((option) => option.defaultSelected);
  if (field.multiple) {
    return defaults.map((option) => option.value).join("\n");
  }
  return (defaults.at(-1) ?? field.options[0])?.value ?? "";
};

// A range without a value stands in its middle.
const rangeDefault = (field) => {
  if (field.hasAttribute("value")) {
    return field.getAttribute("value");
  }
  const untouched = field.cloneNode();
  untouched.removeAttribute("value");
  return untouched.value;
};

/** Starts recording and calls `onEvent` for each event that needs React. Returns a function that stops and returns the entries. */
export const recordEvents = (onEvent) => {
  let journal = [];
  let field;
  let value; // that of the last entry, where it is a change

  const keep = (event) => {
    const element = handledBy(event);
    if (!element) {
      return;
    }
    onEvent();
    const { type, target, submitter } = event;
    if (HELD.includes(type)) {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) {
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation(); // React, half there, would answer it as well
      (type === "submit" ? (submitter ?? element) : element).setAttribute("aria-busy", "true");
    }
    field = undefined;
    journal.push({ type, target, submitter, copy: new event.constructor(type, event) });
  };
  const keepChange = ({ target }) => {
    if (!target.matches?.(FIELDS) || !handledBy({ type: "change", target })) {
      return;
    }
    onEvent();
    value = readField(target);
    if (target === field) {
      journal.at(-1).value = value;
    } else {
      journal.push({ type: "change", target, value });
    }
    field = target;
  };
  const listen = (change) => {
    for (const type of [...HELD, ...REPEATED]) {
      change(type, keep, true);
    }
    for (const type of ["input", "change"]) {
      change(type, keepChange, true);
    }
  };
  listen(addEventListener);
  // What was changed before this script was there, or brought back by the browser with the page.
  for (const changed of document.querySelectorAll(FIELDS)) {
    if (readField(changed) !== writtenValue(changed)) {
      keepChange({ target: changed });
    }
  }
  for (const event of window.early ?? []) {
    if (event.type !== "pointerdown") {
      keep(event);
    }
  }

  return () => {
    listen(removeEventListener);
    const kept = journal;
    journal = [];
    for (const { target, submitter } of kept) {
      for (const element of [target.closest?.("[aria-busy]"), submitter]) {
        element?.removeAttribute("aria-busy");
      }
    }
    return kept;
  };
};
