// The context by which a form gives its fields their errors and the state of its files.
import { createContext, useContext } from "react";

/** @typedef {typeof import("./submission.js")} SubmissionModule */
/**
 * @typedef {import("./submission.js").View & { id: string, restored: object, files: any[], submit?: any, clear?: any,
 *   store?: ReturnType<SubmissionModule["submissionOf"]>, getDelivery?: () => import("./submission.js").Delivery }} Form
 */
export const FormContext = createContext(
  /** @type {Form} */ ({ id: "form", errors: {}, restored: {}, files: [], stage: "idle" }),
);
/** Returns the form around the component. */
export const useForm = () => useContext(FormContext);

/** Returns a field's id, its error, and the ARIA attributes that connect them. */
export const useField = (name, hasHelp = false) => {
  const form = useForm();
  const id = `${form.id}-${name}`;
  const error = form.errors[name];
  const describedBy = [hasHelp && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return { form, id, error, aria: { "aria-invalid": error ? true : undefined, "aria-describedby": describedBy } };
};
