// The draft of a form, stored in this tab until it is sent or cleared: survives a reload, a new release and a change of language.
// Contains only the names of files. A form that is on the page twice shows the same draft in both places.
import { draftKey } from "$/components/reliable_form/stored_drafts";

export const DRAFT = "draft"; // an event of the window: a draft was changed; its detail names the form
export const RESTORE = "restore"; // an event of a <select>: its value comes from a draft

/** Returns a random key of 32 hexadecimal digits. */
export const newSubmissionKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the stored draft of a form, or {}. */
export const readDraft = (name) => {
  try {
    return JSON.parse(sessionStorage.getItem(draftKey(name))) ?? {};
  } catch {
    return {};
  }
};
/** Stores the draft of a form. */
export const saveDraft = (name, draft) => {
  try {
    sessionStorage.setItem(draftKey(name), JSON.stringify(draft));
  } catch {
    // the storage is full; the form itself still contains the text
  }
};
/** Removes the draft of a form. */
export const dropDraft = (name) => {
  try {
    sessionStorage.removeItem(draftKey(name));
  } catch {
    // the browser forbids storage, so nothing was stored
  }
};

/** Fills in fields of a form, even if the form is not loaded yet. */
export const prefill = (name, fields) => {
  const draft = readDraft(name);
  saveDraft(name, { ...draft, fields: { ...draft.fields, ...fields } });
  dispatchEvent(new CustomEvent(DRAFT, { detail: { name } }));
};

// People do not see this field; only a browser or a bot fills it in.
const isHoneypot = (field) => Boolean(field?.closest("[data-honeypot]"));

/** Returns the form's non-empty values; a field marked data-list returns a list. */
export const readForm = (form) => {
  const values = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== "string" || value === "") {
      continue;
    }
    const isList = form.querySelector(`[name="${name}"][data-list]`);
    values[name] = isList ? [...(values[name] ?? []), value] : value;
  }
  for (const { name, dataset } of form.querySelectorAll("[data-only-with]")) {
    if (!values[dataset.onlyWith]) {
      delete values[name];
    }
  }
  return values;
};

// React overrides `value` on its inputs: only the prototype's setter and a real event also change a controlled input.
const setValue = (field, value) => {
  const text = String(value ?? "");
  if (field instanceof HTMLSelectElement) {
    return field.dispatchEvent(new CustomEvent(RESTORE, { detail: text }));
  }
  if (field.value === text) {
    return;
  }
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

/** Writes values into the form's fields, by name. */
export const fillForm = (form, fields) => {
  for (const field of form.elements) {
    const value = fields[field.name];
    if (!field.name || ["file", "submit", "button"].includes(field.type) || isHoneypot(field)) {
      continue;
    }
    if (field.type === "checkbox" || field.type === "radio") {
      const isChecked = [value ?? []].flat().includes(field.value);
      // Choosing another radio of the group unchecks this one.
      if (field.checked !== isChecked && (isChecked || field.type === "checkbox")) {
        field.click();
      }
    } else {
      setValue(field, value);
    }
  }
};
