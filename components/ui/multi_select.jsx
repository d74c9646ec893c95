// Several of a few: a group of boxes, each as large as a finger.
import { useField } from "$/components/browser/form_context";
import { FieldError } from "$/components/ui/field";

export const MultiSelect = ({ name, label, help, options }) => {
  const { id, error, aria } = useField(name, help);
  return (
    <fieldset className="field" data-wrong={error ? "" : undefined}>
      <legend className="field-label">{label}</legend>
      {help && <p className="field-help" id={`${id}-help`}>{help}</p>}
      <div className="choices">
        {options.map(({ value, label: text, icon }) => (
          <label className="choice" key={value}>
            <input type="checkbox" className="check-box" data-list="" {...{ name, value, ...aria }} />
            <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d={icon} /></svg>
            <span>{text}</span>
          </label>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  );
};
