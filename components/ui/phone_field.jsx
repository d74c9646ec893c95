// The phone input as a field of a form: with the form's label, error, and the country of an earlier visit.
import { at } from "$/components/browser/backend";
import { useField } from "$/components/browser/form_context";
import { PhoneInput } from "$/components/phone_input/phone_input";

export const PhoneField = ({ label, optional, ...props }) => {
  const { form, id, error } = useField(props.name);
  return (
    <div className="field" data-wrong={error ? "" : undefined}>
      <label className="field-label" htmlFor={id}>
        {label}
        {optional && <span className="field-optional"> {optional}</span>}
      </label>
      <PhoneInput
        {...props}
        id={id}
        ariaLabel=""
        error={error ?? ""}
        defaultCountry={form.restored[props.countryName] ?? props.defaultCountry}
        lookupUrl={props.lookupUrl && at(props.lookupUrl)}
      />
    </div>
  );
};
