// A form with reliable delivery: see submission.js. Its last child replaces the form once it has been sent.
// Without JavaScript, and until React runs, it is a plain <form> with an action.
import { Children, createElement, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { at } from "$/components/reliable_form/backend";
import { checkField, checkForm } from "$/components/reliable_form/check";
import { fillForm, readForm } from "$/components/reliable_form/draft";
import { FormContext } from "$/components/reliable_form/context";
import { submissionOf } from "$/components/reliable_form/submission";
import { say, unsay } from "$/components/reliable_form/messages";

export const ReliableForm = (props) => {
  const { name, place: id, rules, words, children } = props;
  const submission = submissionOf(name);
  const view = useSyncExternalStore(submission.subscribe, submission.snapshot, submission.snapshot);
  const box = useRef(null);
  const delivery = useDelivery(props, () => box.current);
  const [restored, setRestored] = useState({});
  const [live, setLive] = useState(false);
  const [spoken, setSpoken] = useState("");
  const filling = useRef(false);

  const fill = (fields) => {
    filling.current = true;
    fillForm(box.current, fields);
    filling.current = false;
    openFilled(box.current, fields);
    setRestored(fields);
  };
  const keep = () => submission.remember({ fields: readForm(box.current) });
  const read = () => ({ ...readForm(box.current), ...filled(props.around ?? submission.draft.beside) });
  const setError = (field, message) => {
    const { [field]: _, ...others } = submission.view.errors;
    submission.show({ errors: message ? { ...others, [field]: message } : others });
    setSpoken(message);
  };

  useEffect(() => {
    setLive(true);
    box.current.noValidate = true; // at once: a press that waited for React comes before the next render
    const typed = readForm(box.current); // typed before React ran
    submission.open(delivery());
    const fields = { ...submission.draft.fields, ...typed };
    if (Object.keys(fields).length) {
      fill(fields);
    }
    openFilled(box.current, { [props.filesCall]: submission.files.list.length });
    submission.resume(delivery());
    const changedElsewhere = ({ detail }) => {
      if (detail.name !== name || detail.from === id) {
        return;
      }
      submission.open(delivery());
      fill(submission.draft.fields ?? {});
    };
    const resubmit = () => submit();
    submission.forms.add(resubmit);
    addEventListener("draft", changedElsewhere);
    return () => {
      submission.forms.delete(resubmit);
      removeEventListener("draft", changedElsewhere);
    };
  }, [view.round]);

  useAround(props, submission, view);
  useAnswers(props, submission);
  useOutcome(props, view);
  useFirstFault(view, () => box.current);

  const submit = (event) => {
    event?.preventDefault();
    if (submission.busy) {
      return;
    }
    for (const text of [words.failed, words.cleared]) {
      unsay(text);
    }
    const values = read();
    const errors = checkForm(rules, values);
    if (Object.keys(errors).length) {
      submission.refuse({ fields: errors });
    } else {
      submission.draft.dialog = box.current.closest("dialog")?.dataset.name; // opened after a reload, so that sending continues
      submission.submit(values, delivery());
    }
  };
  const input = ({ target }) => {
    const field = nameOf(target);
    if (filling.current || !field || target.type === "file") {
      return;
    }
    keep();
    dispatchEvent(new CustomEvent("draft", { detail: { name, from: id } }));
    const isBetter = submission.view.errors[field] && !checkField(rules[field], readForm(box.current)[field]);
    if (isBetter) {
      setError(field, "");
    }
  };
  const leave = ({ target, relatedTarget }) => {
    const field = nameOf(target);
    if (!(field in rules) || (relatedTarget && nameOf(relatedTarget) === field) || submission.busy || !document.hasFocus()) {
      return;
    }
    afterThePointer(() => box.current && setError(field, checkField(rules[field], readForm(box.current)[field])));
  };
  const clear = () => {
    const undo = submission.clear();
    unsay(words.failed);
    setTimeout(() => box.current?.querySelector("input:not([tabindex='-1']), select, textarea")?.focus()); // the pressed button is unmounted
    say({ type: "info", text: words.cleared, timeout: 0, action: { label: words.undo, run: undo } });
  };

  const parts = Children.toArray(children);
  const result = parts.pop();
  const form = { id, ...view, restored, files: submission.files.list, store: submission, submit, clear, delivery };
  const attributes = {
    "key": view.round,
    "ref": box,
    id,
    "action": props.action && at(props.action),
    "method": "post",
    "noValidate": live,
    "className": "reliable-form",
    "data-draft": name,
    "data-stage": view.stage,
    "onSubmit": submit,
    "onInput": input,
    "onBlur": leave,
    "aria-busy": submission.busy || undefined,
    "hidden": view.stage === "sent",
  };
  const liveRegion = createElement("p", { "key": "spoken", "className": "sr-only", "aria-live": "polite" }, spoken);
  return createElement(
    FormContext.Provider,
    { value: form },
    createElement("form", attributes, ...parts, liveRegion),
    view.stage === "sent" && result,
  );
};

// Opens a closed part of the form that has a restored value, so that the visitor sees everything that will be sent.
const openFilled = (form, fields) => {
  for (const part of form.querySelectorAll("details")) {
    part.open ||= [...part.querySelectorAll("[name], [data-field]")].some((field) => fields[nameOf(field)]);
  }
};

const nameOf = (element) => element.dataset.field ?? element.name;

// Returns a function that returns the delivery of a submission: the event, the HTTP call, and the messages on the page. Called anew each
// time, because texts change with the language.
const useDelivery = (props, form) => {
  const latest = useRef(props);
  latest.current = props;
  return () => {
    const { api, call, tokenCall, filesCall, apiKey, langTag, language, patience, socketDown, words } = latest.current;
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
      patience: socketDown ? 0 : patience,
      honeypot: form()?.querySelector("[data-honeypot] input")?.name,
      shows: (field) => isShown(form(), latest.current, field),
      tell: (values, key, attempt) => latest.current.onSend(values, key, attempt),
      say: (what, byHttp) => {
        const now = latest.current.words;
        if (what === "sent") {
          unsay(now.failed);
        }
        if (!byHttp) {
          return;
        } // the state has already shown the message
        const action = {
          run: () => dispatchEvent(new CustomEvent("snackbar-action", { detail: { action: `submit:${latest.current.name}` } })),
        };
        if (what === "sent") {
          say({ type: "success", text: now.sent });
        } else {
          say({ type: "error", text: now.failed, action });
        }
      },
    };
  };
};

// Returns true if an error of the field would be visible: in the form, or in the component around it.
const isShown = (form, { place, beside }, name) => {
  const field = form?.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden], [data-honeypot] *)`);
  return Boolean(form) && Boolean(field || beside?.includes(name) || document.getElementById(`${place}-${name}`));
};

const useAnswers = ({ answer, socketDown }, submission) => {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && answer) {
      submission.hear(answer);
    }
    isFirst.current = false;
  }, [answer]);
  useEffect(() => {
    if (socketDown) {
      submission.hurry();
    }
  }, [socketDown]);
};

// Stores the choices made around the form in its draft; null leaves the draft unchanged.
const useAround = ({ around }, submission, { round }) => {
  useEffect(() => {
    if (around && submission.view.stage !== "sent") {
      submission.remember({ beside: around });
    }
  }, [JSON.stringify(around), round]);
};
const filled = (values) => Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value));

// Reports to the component around the form that it was sent, by socket or HTTP, and the errors of that component's own fields.
const useOutcome = ({ beside, onSent, onRefuse }, { stage, refusals, errors }) => {
  const before = useRef({ stage, refusals });
  useEffect(() => {
    const outerErrors = Object.fromEntries(Object.entries(errors).filter(([name]) => beside?.includes(name)));
    if (stage === "sent" && before.current.stage !== "sent") {
      onSent?.();
    }
    if (refusals !== before.current.refusals && Object.keys(outerErrors).length) {
      onRefuse?.(outerErrors);
    }
    before.current = { stage, refusals };
  }, [stage, refusals]);
};

// Moves the focus to the first wrong field of a refused submission.
const useFirstFault = ({ refusals, errors }, form) => {
  const lastRefusals = useRef(refusals);
  useEffect(() => {
    if (refusals === lastRefusals.current) {
      return;
    }
    lastRefusals.current = refusals;
    const marked = form().querySelector("[aria-invalid=\"true\"]") ?? form().querySelector("[data-trouble]");
    const faultyField = marked ?? form().elements[Object.keys(errors)[0]];
    const closedPart = faultyField?.closest?.("details");
    if (closedPart) {
      closedPart.open = true; // its fields cannot have the focus before
    }
    faultyField?.focus?.({ preventScroll: true }); // WebKit would scroll it behind the bar
    (faultyField?.closest?.(".field") ?? faultyField)?.scrollIntoView?.({ block: "nearest" });
  }, [refusals]);
};

// Delays errors while a button is pressed: an error that appears would push the button away from the pointer.
let pressed = false;
if (typeof addEventListener === "function" && typeof document !== "undefined") {
  addEventListener("pointerdown", () => (pressed = true), true);
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => (pressed = false), true);
  }
}
const afterThePointer = (act) => {
  if (pressed) {
    addEventListener("pointerup", () => setTimeout(act), { once: true });
  } else {
    act();
  }
};
