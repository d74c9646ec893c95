// A select whose value is in a state: searchable with a mouse, the device's native list on touch screens.
import { Combobox } from "$/components/ui/combobox";
import { Field } from "$/components/ui/field";
import { SelectMark, useFinePointer } from "$/components/ui/select";

/** `rows` are pairs of a code and its label. */
export const SearchableSelect = ({ id, name, label, rows, value, words, onChoose }) => {
  const options = rows.map(([code, text]) => ({ value: code, label: text }));
  const isSearchable = useFinePointer();
  const choose = (code) => code && onChoose(code);
  return (
    <Field id={id} label={label}>
      <div className="select">
        {isSearchable ? (
          <Combobox id={id} name={name} aria={{}} required options={options} value={value} words={words} onChoose={choose} />
        ) : (
          <select id={id} className="control control-select" value={value} onChange={({ target }) => choose(target.value)}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        )}
        <SelectMark />
      </div>
    </Field>
  );
};
