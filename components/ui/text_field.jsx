// One line of text.
import { useField } from "$/components/browser/form_context";
import { Field } from "$/components/ui/field";

export const TextField = ({ name, label, optional, help, type, required, minLength, maxLength, autoComplete, inputMode }) => {
  const { id, error, aria } = useField(name, help);
  const own = { type, name, required, minLength, maxLength, autoComplete, inputMode };
  const props = { ...own, id, className: "control", onBlur: type === "url" ? addScheme : undefined, ...aria };
  return (
    <Field {...{ id, label, optional, help, error }}>
      <input {...props} spellCheck={type === "text" ? undefined : false} autoCapitalize={type === "text" ? undefined : "none"} />
    </Field>
  );
};

// People write www.example.com, and mean it.
const addScheme = ({ target }) => {
  if (!/^[\w-]+(\.[\w-]+)+([/?#:]\S*)?$/.test(target.value.trim())) return;
  target.value = `https://${target.value.trim()}`;
  target.dispatchEvent(new Event("input", { bubbles: true }));
};
