// The phone input as a field of a form: with the form's label, error, and the country of an earlier visit.
import { at } from "$/components/reliable_form/backend";
import { useField } from "$/components/reliable_form/context";
import { Label } from "$/components/ui/field";
import { PhoneInput } from "$/components/phone_input/phone_input";

export const PhoneField = ({ label, optional, ...props }) => {
  const { form, id, error } = useField(props.name);
  // A country that is chosen is no typing, but belongs to the draft all the same; by then React has written it.
  const keep = () =>
    setTimeout(() => {
      const input = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
      if (input?.value) {
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
  return (
    <div className="field" data-wrong={error ? "" : undefined}>
      <label className="field-label" htmlFor={id}>
        <Label {...{ label, optional }} />
      </label>
      <PhoneInput
        {...props}
        id={id}
        ariaLabel=""
        onCountryChanged={keep}
        error={error ?? ""}
        defaultCountry={form.restored[props.countryName] ?? props.defaultCountry}
        lookupUrl={props.lookupUrl && at(props.lookupUrl)}
      />
    </div>
  );
};
