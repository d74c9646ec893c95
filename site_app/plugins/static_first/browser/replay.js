// Repeats the entries of journal.js once React runs. Loaded together with React, because a page that is only read does not need it.
import { readField } from "$/static_first/journal";

// Sends a text as it is now, because the visitor may have typed more. React ignores an event of a field with the value that it knows, so
// it is told another one: setting the field itself would end the composition of a Thai or Chinese word.
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
    field._valueTracker?.setValue(`${field.value} `);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
};

const isText = (field) => field.tagName !== "SELECT" && !["checkbox", "radio", "file"].includes(field.type);

// A visitor who scrolls or moves the pointer causes dozens of events: the last of a row is enough.
const isRepeated = (entry, next) => /^scroll|^wheel|move$/.test(entry.type) && entry.type === next?.type && entry.target === next.target;

// Reflex sends the change of a Radix field that shows a state after a pause, or when the visitor leaves the field or presses Enter.
const DEBOUNCED = "[data-react~=debounced]";

// Safari before 16 has no requestSubmit; a click on the button submits the form as well.
const submit = (form, button) => (button?.isConnected ? button.click() : form.requestSubmit());

const nextTask = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// React first resets a box or a list and renders the new value a moment later: waits for it, so that the next event does not see the old value.
const waitUntilRendered = async (field, value) => {
  for (let tries = 0; tries < 10 && readField(field) !== value; tries++) {
    await nextTask(10);
  }
};

// Replaces pointer capture while the action runs: a package may try to capture a pointer that has been lifted meanwhile.
const withFakePointerCapture = async (action) => {
  const { setPointerCapture, hasPointerCapture, releasePointerCapture } = Element.prototype;
  const captured = new Set();
  Object.assign(Element.prototype, {
    setPointerCapture(id) {
      captured.add(id);
    },
    hasPointerCapture: (id) => captured.has(id),
    releasePointerCapture(id) {
      captured.delete(id);
    },
  });
  try {
    await action();
  } finally {
    Object.assign(Element.prototype, { setPointerCapture, hasPointerCapture, releasePointerCapture });
  }
};

// Browsers report once that a picture has loaded, or has failed to. React starts at once on pages that handle this, and still comes too late.
const repeatLoads = () => {
  for (const image of document.querySelectorAll("img:is([data-react~=load], [data-react~=error])")) {
    if (image.complete && image.src) {
      image.dispatchEvent(new Event(image.naturalWidth ? "load" : "error"));
    }
  }
};

/** Repeats the entries in their order; waits after each until it has been rendered. */
export const replay = (journal) =>
  withFakePointerCapture(async () => {
    repeatLoads();
    let waitingField; // its change must be sent before what the visitor did next
    for (const [index, entry] of journal.entries()) {
      const { type, target, submitter, copy, value } = entry;
      if (!target.isConnected || isRepeated(entry, journal[index + 1])) {
        continue;
      }
      if (waitingField !== target) {
        waitingField?.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
        waitingField = undefined;
      }
      if (type === "change") {
        changeAgain(target, value);
        waitingField = target.matches(DEBOUNCED) ? target : undefined;
      } else if (type === "submit") {
        submit(target, submitter);
      } else {
        target.dispatchEvent(copy);
      }
      await (type === "change" && !isText(target) ? waitUntilRendered(target, value) : nextTask());
    }
  });
