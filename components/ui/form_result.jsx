// Replaces a form once it has been sent: shows the reference and the next steps, and takes the focus.
import { useEffect, useRef } from "react";
import { prefill } from "$/components/reliable_form/draft";
import { useForm } from "$/components/reliable_form/context";

/** `requires` names the field of the reply without which the text and the steps are left out; `next` opens another dialog. */
export const FormResult = ({ words, steps, requires, next, icon, onAnother, children }) => {
  const { id, result, store } = useForm();
  const heading = useRef(null);
  useEffect(() => {
    heading.current.focus();
  }, []);
  const startAnother = () => {
    store.startAnother();
    onAnother?.();
    setTimeout(() => document.getElementById(id)?.querySelector("input, textarea")?.focus());
  };
  const { reference, quarantined, values } = result;
  const isWhole = !requires || result.details?.[requires];
  const isMailed = result.mailed !== false;
  const check = isMailed ? words.check : words.noMail;
  const mails = isMailed ? [quarantined && words.confirm, words.mailed] : [words.unmailed];
  return (
    <div className="result">
      <svg className="result-mark" viewBox="0 0 24 24" width="40" height="40" aria-hidden="true">
        <path d={icon} />
      </svg>
      <h3 className="result-title" tabIndex={-1} ref={heading}>
        {words.title}
      </h3>
      {quarantined ? <p className="result-check">{check}</p> : isWhole && <p>{words.text}</p>}
      {reference && <Reference label={words.reference} reference={reference} />}
      {children}
      {isWhole && <NextSteps title={words.next} steps={[...mails, ...steps].filter(Boolean)} />}
      <div className="submit-row">
        {next && (
          <button type="button" className="button button-strong" onClick={(event) => openNext(event, next, values)}>
            {next.label}
          </button>
        )}
        <button type="button" className={next ? "button-text" : "button button-quiet"} onClick={startAnother}>
          {words.again}
        </button>
      </div>
    </div>
  );
};

const Reference = ({ label, reference }) => (
  <dl className="result-reference">
    <dt>{label}</dt>
    <dd>
      <strong>{reference}</strong>
    </dd>
  </dl>
);

const NextSteps = ({ title, steps }) => (
  <>
    <h4 className="result-subtitle">{title}</h4>
    <ol className="result-steps">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </>
);

// Opens another dialog with the known fields filled in.
const openNext = ({ target }, { dialog, form, fields }, values) => {
  prefill(form, Object.fromEntries(fields.filter((name) => values[name]).map((name) => [name, values[name]])));
  target.closest("dialog")?.close();
  document.querySelector(`dialog[data-name="${dialog}"]`)?.showModal();
};
