// What every field has: its label above, what helps, the control, and what is wrong with it.
export const Field = ({ id, label, optional, help, error, children, className }) => (
  <div className={`field ${className ?? ""}`} data-wrong={error ? "" : undefined}>
    <label className="field-label" htmlFor={id}>
      {label}
      {optional && <span className="field-optional"> {optional}</span>}
    </label>
    {help && <p className="field-help" id={`${id}-help`}>{help}</p>}
    {children}
    <FieldError id={id} error={error} />
  </div>
);

export const FieldError = ({ id, error }) =>
  error ? (
    <p className="field-error" id={`${id}-error`}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d="M11 15h2v2h-2v-2m0-8h2v6h-2V7m1-5a10 10 0 1 0 0 20 10 10 0 0 0 0-20m0 18a8 8 0 1 1 0-16 8 8 0 0 1 0 16Z" />
      </svg>
      <span>{error}</span>
    </p>
  ) : null;
