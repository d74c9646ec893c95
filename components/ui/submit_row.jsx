// The end of a form: errors of the whole form, the progress, and the button. The button is never disabled; pressing it again while the form
// is being sent does nothing.
import { useForm } from "$/components/reliable_form/context";

/** The end of a form; its children are the note above the button. */
export const SubmitRow = ({ words, children }) => {
  const { stage, trouble, submit, clear } = useForm();
  const busy = stage === "sending" || stage === "slow";
  const retry = ({ currentTarget }) => {
    currentTarget.form.querySelector(".submit-button").focus(); // the pressed button disappears with the message
    submit();
  };
  return (
    <div className="submit">
      {trouble && (
        <div className="form-trouble" role="alert" tabIndex={-1} data-trouble="">
          <p className="form-trouble-title">{trouble}</p>
          {stage === "failed" && <p>{words.kept}</p>}
          {stage === "failed" && (
            <button type="button" className="button button-quiet" onClick={retry}>
              {words.again}
            </button>
          )}
        </div>
      )}
      <p className="submit-note">{children}</p>
      <div className="submit-row dialog-foot">
        <button type="submit" className="button button-strong submit-button" data-busy={busy || undefined} data-needs-react="">
          {busy && <span className="spinner" aria-hidden="true" />}
          {busy ? words.sending : words.send}
        </button>
        <button type="button" className="button-text" onClick={clear} data-needs-react="">
          {words.clear}
        </button>
      </div>
      <p className="submit-status" role="status">
        {stage === "slow" ? words.still : ""}
      </p>
    </div>
  );
};
