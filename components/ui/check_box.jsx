// One box to tick; its children are its label, which may hold a link.
import { useField } from "$/components/browser/form_context";
import { FieldError } from "$/components/ui/field";

export const CheckBox = ({ name, value, required, children }) => {
  const { id, error, aria } = useField(name);
  return (
    <div className="field" data-wrong={error ? "" : undefined}>
      <label className="check" htmlFor={id}>
        <input type="checkbox" className="check-box" {...{ id, name, value, required, ...aria }} />
        <span>{children}</span>
      </label>
      <FieldError id={id} error={error} />
    </div>
  );
};
