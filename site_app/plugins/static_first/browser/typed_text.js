// Keeps what a visitor types into a field while React starts. A field with `value=` shows its state, and until the server has answered the
// state lags behind the typed text: React would write the older text back, and the next letter would be added to that.
import { HYDRATED } from "$/static_first/events";
import { writtenValue } from "$/static_first/journal";

const FIELDS = ":is(input, textarea)[data-react~=value]"; // see marked_jsx.js
const PAUSE_MS = 1000; // without a key, after which a value of the state's own, such as capital letters, replaces the typed text
const PATIENCE_MS = 10_000; // for the answer to the last key
const START_MS = 5000; // from React's start until the state has arrived; fields that are first used later follow React at once

const typedFields = new Map(); // field -> its typed texts since the start, and what React tried to write instead of the last

const isUpToDate = (field) => field.type !== "number" && writtenValue(field) === field.value; // React writes the state's value there, too
const isInUse = (field) => field.type === "number" && field === document.activeElement; // React writes no value there until it is left

const startTimer = (field, entry) => {
  clearTimeout(entry.timer);
  entry.timer = setTimeout(() => {
    const isWaiting = !isUpToDate(field) && entry.wanted === undefined && performance.now() - entry.typedAt < PATIENCE_MS;
    if (isWaiting || isInUse(field)) {
      startTimer(field, entry);
      return;
    }
    typedFields.delete(field);
    if (entry.wanted !== undefined && !isUpToDate(field)) {
      field.value = entry.wanted;
    }
  }, PAUSE_MS);
};

const remember = (field) => {
  const entry = typedFields.get(field) ?? { texts: new Set() };
  typedFields.set(field, entry);
  entry.texts.add(field.value);
  Object.assign(entry, { wanted: undefined, typedAt: performance.now(), isTyping: true });
  setTimeout(() => (entry.isTyping = false));
  startTimer(field, entry);
};

// Returns true if the text is older than what the visitor has typed into the field.
const isOutdated = (field, text) => {
  const entry = typedFields.get(field);
  if (!entry || text === field.value) {
    return false;
  }
  if (isUpToDate(field)) {
    typedFields.delete(field); // a handler has changed the text that the visitor typed
    return false;
  }
  if (!entry.isTyping && !entry.texts.has(text)) {
    entry.wanted = text;
    startTimer(field, entry);
  }
  return true;
};

// Makes the elements of a class refuse outdated texts. React writes with the setter that it finds when it starts.
const refuseOutdated = ({ prototype }) => {
  const { get, set, ...descriptor } = Object.getOwnPropertyDescriptor(prototype, "value");
  Object.defineProperty(prototype, "value", {
    ...descriptor,
    get,
    set(text) {
      if (typedFields.size && isOutdated(this, `${text}`)) {
        this._valueTracker?.setValue(get.call(this)); // by which React notices the next key
      } else {
        set.call(this, text);
      }
    },
  });
};

/** Keeps typed text from now until the state has caught up with it. Call it before React starts. */
export const keepTypedText = () => {
  const onInput = ({ target }) => target.matches?.(FIELDS) && remember(target);
  refuseOutdated(HTMLInputElement);
  refuseOutdated(HTMLTextAreaElement);
  for (const field of document.querySelectorAll(FIELDS)) {
    if (field.value !== writtenValue(field)) {
      remember(field);
    }
  }
  addEventListener("input", onInput, true);
  addEventListener(HYDRATED, () => setTimeout(() => removeEventListener("input", onInput, true), START_MS), { once: true });
};
