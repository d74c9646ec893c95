// Many lines of text. What is pasted is never cut off: near its bound the field counts, and beyond it says so.
import { useState } from "react";
import { countOf } from "$/components/browser/check";
import { useField } from "$/components/browser/form_context";
import { Field } from "$/components/ui/field";

const NEAR = 0.9;

export const TextArea = ({ name, label, optional, help, required, minLength, maxLength, rows, words }) => {
  const { id, error, aria } = useField(name, help);
  const [count, setCount] = useState(0);
  const left = maxLength - count, near = maxLength && count >= maxLength * NEAR;
  const said = near && (left < 0 ? words.over : words.left).replace("{count}", Math.abs(left).toLocaleString(words.tag));
  const described = [aria["aria-describedby"], near && `${id}-count`].filter(Boolean).join(" ") || undefined;
  return (
    <Field {...{ id, label, optional, help, error }}>
      <textarea
        {...{ id, name, required, minLength, rows, ...aria }}
        className="control control-tall"
        aria-describedby={described}
        onInput={({ target }) => setCount(countOf(target.value, true))}
      />
      {near && <p className="field-count" id={`${id}-count`} data-over={left < 0 || undefined}>{said}</p>}
    </Field>
  );
};
