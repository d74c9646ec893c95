// What a form tells its fields: which of them are wrong, and what its files are doing.
import { createContext, useContext } from "react";

/** @typedef {import("./submission.js").View & { id: string, restored: object, files: any[], store?: any, submit?: any, clear?: any, delivery?: any }} Form */
export const FormContext = createContext(
  /** @type {Form} */ ({ id: "form", errors: {}, restored: {}, files: [], stage: "idle" }),
);
export const useForm = () => useContext(FormContext);

/** A field's ids, its error, and the attributes that tie them together for screen readers. */
export const useField = (name, hasHelp = false) => {
  const form = useForm();
  const id = `${form.id}-${name}`;
  const error = form.errors[name];
  const describedBy = [hasHelp && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return { form, id, error, aria: { "aria-invalid": error ? true : undefined, "aria-describedby": describedBy } };
};
