// Stores the events of elements that have handlers until React runs, and then replays them in the same order. Elements list the events
// that they handle: data-react="click change".

const HELD = ["click", "dblclick", "contextmenu", "submit"]; // the browser's default action is prevented, too
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
}; // events whose React handlers have another name

const FIELDS = "input, select, textarea";

/** Returns the closest element to the target that has a handler for this event. */
export const handledBy = ({ type, target }) =>
  target.closest?.(
    [type, HANDLERS[type]]
      .filter(Boolean)
      .map((name) => `[data-react~="${name}"]`)
      .join(),
  );

const readField = (field) => {
  if (field.type === "checkbox" || field.type === "radio") {
    return field.checked;
  }
  return field.multiple ? [...field.selectedOptions].map((option) => option.value).join("\n") : field.value;
};

const writtenValue = (field) => {
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

// The default of a range without a value attribute is its middle.
const rangeDefault = (field) => {
  if (field.hasAttribute("value")) {
    return field.getAttribute("value");
  }
  const untouched = field.cloneNode();
  untouched.removeAttribute("value");
  return untouched.value;
};

// React compares a field with the last value it knows, so the field is first reset to that value.
const changeAgain = (field, value) => {
  if (field.type === "checkbox" || field.type === "radio") {
    field.checked = !value;
    field.click();
  } else if (field.tagName === "SELECT" || field.type === "file") {
    if (field.tagName === "SELECT" && !field.multiple) {
      field.value = value;
    }
    field.dispatchEvent(new Event("change", { bubbles: true }));
  } else {
    const prototype = field.tagName === "TEXTAREA" ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    field.value = writtenValue(field);
    Object.getOwnPropertyDescriptor(prototype, "value").set.call(field, value); // bypasses the property by which React tracks the field
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
};

const task = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// React first resets a field and renders the new value a moment later: waits for it, so that the next event does not see the old value.
const rendered = async (field, value) => {
  for (let tries = 0; tries < 10 && readField(field) !== value; tries++) {
    await task(10);
  }
};

// Replaces pointer capture while `act` runs: a package may try to capture a pointer that has been lifted meanwhile.
const withLiftedPointers = async (act) => {
  const { setPointerCapture, hasPointerCapture, releasePointerCapture } = Element.prototype;
  const captured = new Set();
  Object.assign(Element.prototype, {
    setPointerCapture(id) {
      captured.add(id);
    },
    hasPointerCapture: (id) => captured.has(id),
    releasePointerCapture: (id) => void captured.delete(id),
  });
  try {
    await act();
  } finally {
    Object.assign(Element.prototype, { setPointerCapture, hasPointerCapture, releasePointerCapture });
  }
};

/**
 * Starts to store events and calls `onEvent` for each one that needs React. Returns `replay`, to call when React runs, and `giveUp`, to
 * call when it does not load: a form with an action is then sent without React.
 */
export const keepEvents = (onEvent) => {
  let journal = [];
  let field;
  let value; // the value of the last entry, if it is a change

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
      event.stopImmediatePropagation(); // React, if partly started, would handle it as well
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
  const stop = () => {
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

  listen(addEventListener);
  // Fields that were changed before this script ran, or that the browser restored with the page.
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

  return {
    replay: () => {
      const kept = stop();
      return withLiftedPointers(async () => {
        for (const { type, target, submitter, copy, value: changed } of kept) {
          if (!target.isConnected) {
            continue;
          }
          if (type === "change") {
            changeAgain(target, changed);
          } else if (type === "submit") {
            target.requestSubmit(submitter?.isConnected ? submitter : undefined);
          } else {
            target.dispatchEvent(copy);
          }
          await (type === "change" ? rendered(target, changed) : task());
        }
      });
    },
    giveUp: () => {
      const form = stop().find(({ type, target }) => type === "submit" && target.hasAttribute("action"))?.target;
      form?.submit();
    },
  };
};
