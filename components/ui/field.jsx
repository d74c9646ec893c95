// The frame of every field, and the fields with native controls: text, check boxes. The form provides their errors.
import { useField } from "$/components/reliable_form/context";

/** The frame of a field: label, help, control and error. */
export const Field = ({ id, label, optional = "", help = "", error = "", children }) => (
  <div className="field" data-wrong={error ? "" : undefined}>
    <label className="field-label" htmlFor={id}>
      <Label {...{ label, optional }} />
    </label>
    {help && (
      <p className="field-help" id={`${id}-help`}>
        {help}
      </p>
    )}
    {children}
    <FieldError id={id} error={error} />
  </div>
);

/** A label, marked if the field is optional. */
export const Label = ({ label, optional }) => (
  <>
    {label}
    {optional && <span className="field-optional"> {optional}</span>}
  </>
);

/** The error below a field; nothing without an error. */
export const FieldError = ({ id, error }) =>
  error ? (
    <p className="field-error" id={`${id}-error`}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d="M11 15h2v2h-2v-2m0-8h2v6h-2V7m1-5a10 10 0 1 0 0 20 10 10 0 0 0 0-20m0 18a8 8 0 1 1 0-16 8 8 0 0 1 0 16Z" />
      </svg>
      <span>{error}</span>
    </p>
  ) : null;

/** A field for one line of text, such as a name or an email address. */
export const TextField = ({ label, optional, help, ...props }) => {
  const { id, error, aria } = useField(props.name, help);
  const isText = props.type === "text";
  return (
    <Field {...{ id, label, optional, help, error }}>
      <input
        {...props}
        {...aria}
        id={id}
        className="control"
        onBlur={props.type === "url" ? addScheme : undefined}
        spellCheck={isText ? undefined : false}
        autoCapitalize={isText ? undefined : "none"}
      />
    </Field>
  );
};

// Adds https:// to an address such as www.example.com, as people type it.
const addScheme = ({ target }) => {
  if (!/^[\w-]+(\.[\w-]+)+([/?#:]\S*)?$/.test(target.value.trim())) {
    return;
  }
  target.value = `https://${target.value.trim()}`;
  target.dispatchEvent(new Event("input", { bubbles: true }));
};

/** A field for several lines of text. */
export const TextArea = ({ label, optional, help, ...props }) => {
  const { id, error, aria } = useField(props.name, help);
  return (
    <Field {...{ id, label, optional, help, error }}>
      <textarea {...props} {...aria} id={id} className="control control-tall" />
    </Field>
  );
};

/** A check box; its children are its label, which may contain a link. */
export const CheckBox = ({ children, ...props }) => {
  const { id, error, aria } = useField(props.name);
  return (
    <div className="field" data-wrong={error ? "" : undefined}>
      <label className="check" htmlFor={id}>
        <input type="checkbox" className="check-box" id={id} {...props} {...aria} />
        <span>{children}</span>
      </label>
      <FieldError id={id} error={error} />
    </div>
  );
};

/** A group of check boxes for several choices, each large enough for touch. */
export const MultiSelect = ({ name, label, help, options }) => {
  const { id, error, aria } = useField(name, help);
  return (
    <fieldset className="field" data-wrong={error ? "" : undefined}>
      <legend className="field-label">{label}</legend>
      {help && (
        <p className="field-help" id={`${id}-help`}>
          {help}
        </p>
      )}
      <FieldError id={id} error={error} />
      <div className="choices">
        {options.map(({ value, label: text, icon }) => (
          <label className="choice" key={value}>
            <input type="checkbox" className="check-box" data-list="" {...{ name, value, ...aria }} />
            {icon && (
              <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
                <path d={icon} />
              </svg>
            )}
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
