// Records what a visitor does to elements that have handlers until React runs; replay.js then repeats it in the same order. An element
// lists the events that its handlers need: data-react="click change" (see marked_jsx.js). Controls of scripts, without handlers in Python,
// are not recorded: start.js holds a click on them until React runs.
import { hasModifier, holdBack } from "$/static_first/press";

const PREVENTED_EVENTS = ["click", "dblclick", "contextmenu", "submit"]; // the browser's own reaction waits, too

const FIELDS = "input, select, textarea";
const BOXES = "[type=checkbox], [type=radio]";

const recordedEvents = new WeakSet();

/** Returns true if replay.js repeats the event: React must not handle it as well while it takes over the page. */
export const isRecorded = (event) => recordedEvents.has(event);

/** Returns the value of a field; of a checkbox, whether it is checked. */
export const readField = (field) => {
  if (field.type === "checkbox" || field.type === "radio") {
    return field.checked;
  }
  return field.multiple ? [...field.selectedOptions].map((option) => option.value).join("\n") : field.value;
};

/** Returns the value that the HTML gives a field. */
export const writtenValue = (field) => {
  if (field.type === "checkbox" || field.type === "radio") {
    return field.defaultChecked;
  }
  if (field.tagName !== "SELECT") {
    const untouched = field.cloneNode();
    untouched.value = field.defaultValue; // the browser makes of it what the type allows: of a range without one the middle, of a color black
    return untouched.value;
  }
  const defaults = [...field.options].filter((option) => option.defaultSelected);
  if (field.multiple) {
    return defaults.map((option) => option.value).join("\n");
  }
  return (defaults.at(-1) ?? field.options[0])?.value ?? "";
};

// Returns the listener that adds an event to the entries. React learns from "mouseout" of another element which one the pointer enters.
const eventRecorder = (entries, onEvent) => (event) => {
  const { type, target, relatedTarget, submitter } = event;
  const closest = (node) => node?.closest?.(`[data-react~=${type}]`);
  const element = closest(target) ?? closest(relatedTarget);
  if (!element) {
    return;
  }
  onEvent();
  if (PREVENTED_EVENTS.includes(type)) {
    // The browser opens a link or sends a form elsewhere. Not isForBrowser: a context menu opens by another button.
    if (hasModifier(event) && target.closest("a[href], [type=submit]")) {
      return;
    }
    holdBack(event);
    (submitter ?? element).setAttribute("aria-busy", "true");
  }
  recordedEvents.add(event);
  entries.push({ type, target, submitter, copy: new event.constructor(type, event) });
};

// Returns the listener that adds the value of a field to the entries, or changes the last entry if it is of the same field.
const changeRecorder = (entries, onEvent) => (event) => {
  const { target } = event;
  if (!target.matches?.(FIELDS) || !target.closest("[data-react~=change]")) {
    return;
  }
  onEvent();
  recordedEvents.add(event);
  const value = readField(target);
  const last = entries.at(-1);
  if (last?.type === "change" && last.target === target) {
    last.value = value;
  } else {
    entries.push({ type: "change", target, value });
  }
};

// React reads the change of a box from its click, and shows the value of the state again before the browser tells of the change: the record
// would have the old value.
const keepBoxClickFromReact = (event) => {
  if (event.target.matches?.(BOXES) && event.target.closest("[data-react~=change]")) {
    recordedEvents.add(event);
  }
};

// Records the fields that were changed before this script ran, or restored by the browser, and the presses that boot.js has stored.
const recordEarlier = (record, recordChange) => {
  for (const field of document.querySelectorAll(FIELDS)) {
    const isDeselected = field.type === "radio" && !field.checked; // the chosen radio of its group is recorded instead
    if (!isDeselected && readField(field) !== writtenValue(field)) {
      recordChange({ target: field });
    }
  }
  for (const event of window.early ?? []) {
    if (event.type !== "pointerdown") {
      record(event);
    }
  }
};

/** Starts recording and calls `onEvent` for each event that needs React. Returns a function that stops and returns the entries. */
export const recordEvents = (onEvent) => {
  const journal = [];
  const types = new Set([...document.querySelectorAll("[data-react]")].flatMap(({ dataset }) => dataset.react.split(" ")));
  types.delete("change");
  const record = eventRecorder(journal, onEvent);
  const recordChange = changeRecorder(journal, onEvent);
  const updateListeners = (update) => {
    for (const type of types) {
      update(type, record, { capture: true, passive: !PREVENTED_EVENTS.includes(type) });
    }
    for (const type of ["input", "change"]) {
      update(type, recordChange, true);
    }
    update("click", keepBoxClickFromReact, true);
  };
  updateListeners(addEventListener);
  recordEarlier(record, recordChange);
  return () => {
    updateListeners(removeEventListener);
    const entries = journal.splice(0);
    for (const { target, submitter } of entries) {
      for (const element of [target.closest?.("[aria-busy]"), submitter]) {
        element?.removeAttribute("aria-busy");
      }
    }
    return entries;
  };
};
