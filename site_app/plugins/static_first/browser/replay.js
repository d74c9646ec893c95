// Keeps what a visitor does to elements that have handlers until React is there, and then does it again in the same order. Elements say
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

// A range without a value stands in its middle.
const rangeDefault = (field) => {
  if (field.hasAttribute("value")) {
    return field.getAttribute("value");
  }
  const untouched = field.cloneNode();
  untouched.removeAttribute("value");
  return untouched.value;
};

// React compares a field with the value that it knew last, so the field first goes back to that value.
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
    Object.getOwnPropertyDescriptor(prototype, "value").set.call(field, value); // past the property by which React follows the field
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
};

const task = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// React sets a field back at first, and renders the new value a moment later: the next event must not see the old one.
const rendered = async (field, value) => {
  for (let tries = 0; tries < 10 && readField(field) !== value; tries++) {
    await task(10);
  }
};

// A part of a package may want to capture a pointer that has been lifted meanwhile.
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
 * Begins to keep; `onEvent` is called for each event that needs React. Returns `replay`, for when React is there, and `giveUp`, for when
 * it does not come: a form that has an address is then sent without it.
 */
export const keepEvents = (onEvent) => {
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
