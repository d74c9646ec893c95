// A form with reliable delivery: see submission.js. Its last child replaces the form once it has been sent.
// Without JavaScript, and until React runs, it is a plain <form> with an action.
import { Children, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { backendAddress } from "$/components/reliable_form/backend";
import { checkField, checkForm } from "$/components/reliable_form/check";
import { DRAFT, fillForm, readForm } from "$/components/reliable_form/draft";
import { FormContext } from "$/components/reliable_form/context";
import { submissionOf } from "$/components/reliable_form/submission";
import { hideMessage, runAction, showMessage } from "$/components/reliable_form/messages";

/** The form; its props are described in README.md and __init__.py. */
export const ReliableForm = (props) => {
  const { name, formId: id, words, children } = props;
  const submission = submissionOf(name);
  const view = useSyncExternalStore(submission.subscribe, submission.snapshot, submission.snapshot);
  const formRef = useRef(null);
  const getDelivery = useDelivery(props, formRef);
  const isReactRunning = useOwnValidation(view, formRef);
  const { restored, storeTyped } = useDraft(props, { submission, view, formRef, getDelivery });
  const submitForm = useSubmit(props, { submission, formRef, getDelivery });
  const { announcement, onBlur, removeIfCorrected } = useFieldErrors(props, { submission, formRef });
  useOuterValues(props, submission, view);
  useAcknowledgements(props, submission);
  useOutcome(props, view);
  useFirstFault(view, formRef);

  const onInput = ({ target }) => {
    const field = nameOf(target);
    if (field && target.type !== "file" && storeTyped()) {
      removeIfCorrected(field);
    }
  };
  const clear = () => {
    const undo = submission.clear();
    hideMessage(words.failed);
    setTimeout(() => formRef.current?.querySelector("input:not([tabindex='-1']), select, textarea")?.focus()); // the pressed button is unmounted
    showMessage({ type: "info", text: words.cleared, timeout: 0, action: { label: words.undo, run: undo } });
  };

  const parts = Children.toArray(children);
  const result = parts.pop();
  const { list: files } = submission.files;
  const form = { id, ...view, restored, files, store: submission, submit: submitForm, clear, getDelivery };
  return (
    <FormContext.Provider value={form}>
      <form
        key={view.round}
        ref={formRef}
        id={id}
        action={props.action && backendAddress(props.action)}
        method="post"
        noValidate={isReactRunning}
        className="reliable-form"
        data-draft={name}
        data-stage={view.stage}
        onSubmit={submitForm}
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

// Returns true once React runs: from then on the form is checked here and not by the browser.
const useOwnValidation = ({ round }, formRef) => {
  const [isReactRunning, setIsReactRunning] = useState(false);
  useEffect(() => {
    setIsReactRunning(true);
    formRef.current.noValidate = true; // at once: a press that waited for React comes before the next render
  }, [round, formRef]);
  return isReactRunning;
};

// Fills in the stored draft, and what is typed into another form with the same draft. `storeTyped` stores what the visitor types here; it
// returns false while the form is being filled in.
const useDraft = ({ name, formId: id, filesCall }, { submission, view: { round }, formRef, getDelivery }) => {
  const [restored, setRestored] = useState({});
  const isFilling = useRef(false);
  const fill = (fields) => {
    isFilling.current = true;
    fillForm(formRef.current, fields);
    isFilling.current = false;
    openFilled(formRef.current, fields);
    setRestored(fields);
  };

  useEffect(() => {
    const typed = readForm(formRef.current); // typed before React ran
    submission.prepare(getDelivery());
    const fields = { ...submission.draft.fields, ...typed };
    if (Object.keys(fields).length) {
      fill(fields);
    }
    openFilled(formRef.current, { [filesCall]: submission.files.list.length });
    submission.resume(getDelivery());
    const changedElsewhere = ({ detail }) => {
      if (detail.name !== name || detail.from === id) {
        return;
      }
      submission.prepare(getDelivery());
      fill(submission.draft.fields ?? {});
    };
    addEventListener(DRAFT, changedElsewhere);
    return () => removeEventListener(DRAFT, changedElsewhere);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each empty form; `fill` and `getDelivery` are new with each render
  }, [round]);

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
const useSubmit = ({ rules, words, outerValues }, { submission, formRef, getDelivery }) => {
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

// Checks a field when the visitor leaves it, and removes its error as soon as it is corrected; `announcement` is for screen readers.
const useFieldErrors = ({ rules }, { submission, formRef }) => {
  const [announcement, setAnnouncement] = useState("");
  const problemOf = (field) => checkField(rules[field], readForm(formRef.current)[field]);
  const setError = (field, message) => {
    const { [field]: _, ...others } = submission.view.errors;
    submission.updateView({ errors: message ? { ...others, [field]: message } : others });
    setAnnouncement(message);
  };
  const removeIfCorrected = (field) => {
    if (submission.view.errors[field] && !problemOf(field)) {
      setError(field, "");
    }
  };
  const onBlur = ({ target, relatedTarget }) => {
    const field = nameOf(target);
    if (!(field in rules) || (relatedTarget && nameOf(relatedTarget) === field) || submission.busy || !document.hasFocus()) {
      return;
    }
    afterRelease(() => formRef.current && setError(field, problemOf(field)));
  };
  return { announcement, onBlur, removeIfCorrected };
};

// Opens a closed part of the form that has a restored value, so that the visitor sees everything that will be sent.
const openFilled = (form, fields) => {
  for (const part of form.querySelectorAll("details")) {
    part.open ||= [...part.querySelectorAll("[name], [data-field]")].some((field) => fields[nameOf(field)]);
  }
};

const nameOf = (element) => element.dataset.field ?? element.name;

/**
 * Returns a function that returns the delivery of a submission: the event, the HTTP call, and the messages on the page. Called anew each
 * time, because texts change with the language.
 * @returns {() => import("./submission.js").Delivery}
 */
const useDelivery = (props, formRef) => {
  const latest = useRef(props);
  latest.current = props;
  return () => {
    const { api, call, tokenCall, filesCall, apiKey, langTag, language, timeoutMs, socketDown, words } = latest.current;
    return {
      api,
      call,
      tokenCall,
      filesCall,
      apiKey,
      tag: langTag,
      language,
      words,
      page: location.pathname,
      timeoutMs: socketDown ? 0 : timeoutMs,
      honeypot: formRef.current?.querySelector("[data-honeypot] input")?.name,
      isVisible: (field) => isVisible(formRef.current, latest.current, field),
      sendEvent: (values, key, attempt) => latest.current.onSend(values, key, attempt),
      report: (outcome, { byHttp }) => {
        const texts = latest.current.words;
        if (outcome === "sent") {
          hideMessage(texts.failed);
        }
        // The state has already shown the message.
        if (!byHttp) {
          return;
        }
        const action = { run: () => runAction(`submit:${latest.current.name}`) };
        if (outcome === "sent") {
          showMessage({ type: "success", text: texts.sent });
        } else {
          showMessage({ type: "error", text: texts.failed, action });
        }
      },
    };
  };
};

// Returns true if an error of the field would be visible: in the form, or in the component around it.
const isVisible = (form, { formId, outerFields }, name) => {
  const field = form?.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden], [data-honeypot] *)`);
  return Boolean(form) && Boolean(field || outerFields?.includes(name) || document.getElementById(`${formId}-${name}`));
};

const useAcknowledgements = ({ reply, socketDown }, submission) => {
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
const useOuterValues = ({ outerValues }, submission, { round }) => {
  const content = JSON.stringify(outerValues);
  useEffect(() => {
    if (outerValues && submission.view.stage !== "sent") {
      submission.updateDraft({ beside: outerValues });
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `content` compares the values; the object is new with each render
  }, [content, submission, round]);
};
const nonEmpty = (values) => Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value));

// Reports to the component around the form that it was sent, by socket or HTTP, and the errors of that component's own fields.
const useOutcome = ({ outerFields, onSent, onRefuse }, { stage, refusals, errors }) => {
  const previous = useRef({ stage, refusals });
  useEffect(() => {
    const outerErrors = Object.fromEntries(Object.entries(errors).filter(([name]) => outerFields?.includes(name)));
    if (stage === "sent" && previous.current.stage !== "sent") {
      onSent?.();
    }
    if (refusals !== previous.current.refusals && Object.keys(outerErrors).length) {
      onRefuse?.(outerErrors);
    }
    previous.current = { stage, refusals };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only on a new outcome; the handlers are new with each render
  }, [stage, refusals]);
};

// Moves the focus to the first wrong field of a refused submission.
const useFirstFault = ({ refusals, errors }, formRef) => {
  const lastRefusals = useRef(refusals);
  useEffect(() => {
    if (refusals === lastRefusals.current) {
      return;
    }
    lastRefusals.current = refusals;
    const form = formRef.current;
    const invalidElement = form.querySelector("[aria-invalid=\"true\"]") ?? form.querySelector("[data-trouble]");
    const faultyField = invalidElement ?? form.elements[Object.keys(errors)[0]];
    const closedPart = faultyField?.closest?.("details");
    if (closedPart) {
      closedPart.open = true; // its fields cannot have the focus before
    }
    faultyField?.focus?.({ preventScroll: true }); // WebKit would scroll it behind the bar
    (faultyField?.closest?.(".field") ?? faultyField)?.scrollIntoView?.({ block: "nearest" });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only on a new refusal
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
