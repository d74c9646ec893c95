// A form with reliable delivery: see submission.js. Its last child replaces the form once it has been sent.
// Without JavaScript, and until React runs, it is a plain <form> with an action.
import { Children, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { backendUrl } from "$/components/reliable_form/backend";
import { checkField, checkForm } from "$/components/reliable_form/check";
import { FormContext } from "$/components/reliable_form/context";
import { useDelivery } from "$/components/reliable_form/delivery";
import { DRAFT, fillForm, readForm } from "$/components/reliable_form/draft";
import { hideMessage, showMessage } from "$/components/messages/events";
import { submissionOf } from "$/components/reliable_form/submission";

/** The form; its props are described in README.md and form.py. */
export const ReliableForm = (props) => {
  const { name, formId: id, action, children } = props;
  const submission = submissionOf(name);
  const view = useSyncExternalStore(submission.subscribe, submission.snapshot, submission.snapshot);
  const formRef = useRef(null);
  const getDelivery = useDelivery(props, formRef);
  const isReactRunning = useOwnValidation({ round: view.round, formRef });
  const { restored, storeTyped } = useDraft({ props, view, submission, formRef, getDelivery });
  const submit = useSubmit({ props, submission, formRef, getDelivery });
  const { announcement, onInput, onBlur } = useFieldErrors({ rules: props.rules, submission, formRef, storeTyped });
  useOuterValues({ props, view, submission });
  useAcknowledgements({ props, submission });
  useOutcome({ props, view });
  useFirstFault({ view, formRef });

  const parts = Children.toArray(children);
  const result = parts.pop();
  const clear = () => clearForm({ submission, formRef, words: props.words });
  const form = { id, ...view, restored, files: submission.files.list, store: submission, submit, clear, getDelivery };
  return (
    <FormContext.Provider value={form}>
      <form
        key={view.round}
        ref={formRef}
        id={id}
        action={action && backendUrl(action)}
        method="post"
        noValidate={isReactRunning}
        className="reliable-form"
        data-draft={name}
        data-stage={view.stage}
        onSubmit={submit}
        onInput={onInput}
        onBlur={onBlur}
        aria-busy={submission.busy || undefined}
        hidden={view.stage === "sent"}
      >
        {parts}
        <p className="sr-only" aria-live="polite">
          {announcement}
        </p>
      </form>
      {view.stage === "sent" && result}
    </FormContext.Provider>
  );
};

// Empties the form, and offers to restore it.
const clearForm = ({ submission, formRef, words }) => {
  const undo = submission.clear();
  hideMessage(words.failed);
  setTimeout(() => formRef.current?.querySelector("input:not([tabindex='-1']), select, textarea")?.focus()); // the pressed button is unmounted
  showMessage({ type: "info", text: words.cleared, timeout: 0, action: { label: words.undo, run: undo } });
};

// Returns true once React runs: from then on the form is checked here and not by the browser.
const useOwnValidation = ({ round, formRef }) => {
  const [isReactRunning, setIsReactRunning] = useState(false);
  useEffect(() => {
    setIsReactRunning(true);
    formRef.current.noValidate = true; // at once: a press that waited for React comes before the next render
  }, [round, formRef]);
  return isReactRunning;
};

// Fills in the stored draft, and what is typed into another form with the same draft. `storeTyped` stores what the visitor types here; it
// returns false while the form is being filled in.
const useDraft = ({ props, view, submission, formRef, getDelivery }) => {
  const { name, formId: id, filesCall } = props;
  const [restored, setRestored] = useState({});
  const isFilling = useRef(false);
  const fill = (fields) => {
    isFilling.current = true;
    fillForm(formRef.current, fields);
    isFilling.current = false;
    openFilled(formRef.current, fields);
    setRestored(fields);
  };

  const begin = useEffectEvent(() => {
    const typed = readForm(formRef.current); // typed before React ran
    submission.prepare(getDelivery());
    const fields = { ...submission.draft.fields, ...typed };
    if (Object.keys(fields).length) {
      fill(fields);
    }
    openFilled(formRef.current, { [filesCall]: submission.files.list.length });
    submission.resume(getDelivery());
  });
  const copyChange = useEffectEvent(({ detail }) => {
    if (detail.name !== name || detail.from === id) {
      return;
    }
    submission.prepare(getDelivery());
    fill(submission.draft.fields ?? {});
  });
  useEffect(() => begin(), [view.round]); // anew for each empty form
  useEffect(() => {
    const onDraft = (event) => copyChange(event);
    addEventListener(DRAFT, onDraft);
    return () => removeEventListener(DRAFT, onDraft);
  }, []);

  const storeTyped = () => {
    if (isFilling.current) {
      return false;
    }
    submission.updateDraft({ fields: readForm(formRef.current) });
    dispatchEvent(new CustomEvent(DRAFT, { detail: { name, from: id } }));
    return true;
  };
  return { restored, storeTyped };
};

// Returns the handler that checks the form and sends it; "Try again" in a message calls it, too.
const useSubmit = ({ props, submission, formRef, getDelivery }) => {
  const { rules, words, outerValues } = props;
  const submitForm = (event) => {
    event?.preventDefault();
    if (submission.busy) {
      return;
    }
    for (const text of [words.failed, words.cleared]) {
      hideMessage(text);
    }
    const values = { ...readForm(formRef.current), ...nonEmpty(outerValues ?? submission.draft.beside) };
    const errors = checkForm(rules, values);
    if (Object.keys(errors).length) {
      submission.refuse({ fields: errors });
    } else {
      submission.updateDraft({ dialog: formRef.current.closest("dialog")?.dataset.name }); // opened after a reload, so that sending continues
      submission.submit(values, getDelivery());
    }
  };
  const resubmit = useEffectEvent(() => submitForm()); // with the newest values around the form
  useEffect(() => {
    const { resubmitters } = submission;
    const resubmitter = () => resubmit();
    resubmitters.add(resubmitter);
    return () => resubmitters.delete(resubmitter);
  }, [submission]);
  return submitForm;
};

// Checks a field when the visitor leaves it, stores what is typed, and removes an error as soon as it is corrected; `announcement` is for
// screen readers.
const useFieldErrors = ({ rules, submission, formRef, storeTyped }) => {
  const [announcement, setAnnouncement] = useState("");
  const problemOf = (field) => checkField(rules[field], readForm(formRef.current)[field]);
  const setError = (field, message) => {
    const { [field]: _, ...others } = submission.view.errors;
    submission.updateView({ errors: message ? { ...others, [field]: message } : others });
    setAnnouncement(message);
  };
  const onInput = ({ target }) => {
    const field = nameOf(target);
    const isStored = field && target.type !== "file" && storeTyped();
    if (isStored && submission.view.errors[field] && !problemOf(field)) {
      setError(field, "");
    }
  };
  const onBlur = ({ target, relatedTarget }) => {
    const field = nameOf(target);
    const staysInField = relatedTarget && nameOf(relatedTarget) === field; // as between the boxes of a choice
    const isLeft = document.hasFocus() && !staysInField; // a window that loses the focus leaves no field
    if (isLeft && field in rules && !submission.busy) {
      afterRelease(() => formRef.current && setError(field, problemOf(field)));
    }
  };
  return { announcement, onInput, onBlur };
};

// Opens a closed part of the form that has a restored value, so that the visitor sees everything that will be sent.
const openFilled = (form, fields) => {
  for (const part of form.querySelectorAll("details")) {
    part.open ||= [...part.querySelectorAll("[name], [data-field]")].some((field) => fields[nameOf(field)]);
  }
};

const nameOf = (element) => element.dataset.field ?? element.name;

// Passes the state's acknowledgements on to the submission, and ends its wait for them when the socket is down.
const useAcknowledgements = ({ props, submission }) => {
  const { reply, socketDown } = props;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && reply) {
      submission.onAcknowledgement(reply);
    }
    isFirst.current = false;
  }, [reply, submission]);
  useEffect(() => {
    if (socketDown) {
      submission.stopWaiting();
    }
  }, [socketDown, submission]);
};

// Stores the values chosen around the form in its draft; null leaves the draft unchanged. They are called `beside` there: drafts of open
// tabs outlive a release.
const useOuterValues = ({ props, view, submission }) => {
  const { outerValues } = props;
  const content = JSON.stringify(outerValues); // compared instead of the object, which is new with each render
  const store = useEffectEvent(() => {
    if (outerValues && submission.view.stage !== "sent") {
      submission.updateDraft({ beside: outerValues });
    }
  });
  useEffect(() => store(), [content, submission, view.round]);
};
const nonEmpty = (values) => Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value));

// Reports to the component around the form that it was sent, by socket or HTTP, or refused, with the errors of that component's own fields.
const useOutcome = ({ props, view }) => {
  const { outerFields, onSent, onRefuse } = props;
  const { stage, errors, code, refusals } = view;
  const previous = useRef({ stage, refusals });
  const report = useEffectEvent(() => {
    const outerErrors = Object.fromEntries(Object.entries(errors).filter(([name]) => outerFields?.includes(name)));
    if (stage === "sent" && previous.current.stage !== "sent") {
      onSent?.();
    }
    if (refusals !== previous.current.refusals && (code || Object.keys(outerErrors).length)) {
      onRefuse?.(outerErrors, code);
    }
    previous.current = { stage, refusals };
  });
  useEffect(() => report(), [stage, refusals]);
};

// Moves the focus to the first wrong field of a refused submission.
const useFirstFault = ({ view, formRef }) => {
  const { errors, refusals } = view;
  const lastRefusals = useRef(refusals);
  const focusFault = useEffectEvent(() => {
    const form = formRef.current;
    const isRefused = (element) => nameOf(element) in errors && element.tabIndex >= 0; // not a select behind the field that searches it
    const refusedField = [...form.elements].find(isRefused); // not aria-invalid: the phone field also doubts numbers that may be sent
    const faultyField = refusedField ?? form.querySelector("[aria-invalid=\"true\"]") ?? form.querySelector("[data-trouble]");
    const closedPart = faultyField?.closest?.("details");
    if (closedPart) {
      closedPart.open = true; // its fields cannot have the focus before
    }
    faultyField?.focus?.({ preventScroll: true }); // WebKit would scroll it behind the bar
    (faultyField?.closest?.(".field") ?? faultyField)?.scrollIntoView?.({ block: "nearest" });
  });
  useEffect(() => {
    if (refusals !== lastRefusals.current) {
      lastRefusals.current = refusals;
      focusFault();
    }
  }, [refusals]);
};

// Delays errors while a button is pressed: an error that appears would push the button away from the pointer.
let isPressed = false;
if (typeof addEventListener === "function" && typeof document !== "undefined") {
  addEventListener("pointerdown", () => (isPressed = true), true);
  for (const type of ["pointerup", "pointercancel"]) {
    addEventListener(type, () => (isPressed = false), true);
  }
}
const afterRelease = (act) => {
  if (isPressed) {
    addEventListener("pointerup", () => setTimeout(act), { once: true });
  } else {
    act();
  }
};
