// Repeats the entries of journal.js once React answers. Fetched together with React: a page that is only read does not need it.
import { readField, writtenValue } from "$/static_first/journal";

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

/** Repeats the entries in their order, each after the one before has been rendered. */
export const replay = (journal) =>
  withLiftedPointers(async () => {
    for (const { type, target, submitter, copy, value } of journal) {
      if (!target.isConnected) {
        continue;
      }
      if (type === "change") {
        changeAgain(target, value);
      } else if (type === "submit") {
        target.requestSubmit(submitter?.isConnected ? submitter : undefined);
      } else {
        target.dispatchEvent(copy);
      }
      await (type === "change" ? rendered(target, value) : task());
    }
  });
