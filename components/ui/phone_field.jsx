// The phone input as a field of a form: with the form's label and error, and the country of a restored draft.
import { backendUrl } from "$/components/reliable_form/backend";
import { useField } from "$/components/reliable_form/context";
import { Label } from "$/components/ui/field";
import { PhoneInput } from "$/components/phone_input/phone_input";

/** Takes the props of PhoneInput, and the form's `label` and `optional`. */
export const PhoneField = ({ label, optional, ...props }) => {
  const { form, id, error } = useField(props.name);
  // Choosing a country fires no input event, but belongs to the draft; the timeout waits until React has rendered it.
  const storeDraft = () =>
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
        onCountryChanged={storeDraft}
        error={error ?? ""}
        defaultCountry={form.restored[props.countryName] ?? props.defaultCountry}
        lookupUrl={props.lookupUrl && backendUrl(props.lookupUrl)}
      />
    </div>
  );
};
