// One of many, such as a country: where there is a mouse one can type to search; on touch it is the device's own list.
// The <select> is always there and holds the choice. Until the lists have come it offers what the browser itself knows.
import { useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useField } from "$/components/reliable_form/context";
import { Combobox } from "$/components/ui/combobox";
import { Field } from "$/components/ui/field";

export const Select = (props) => {
  const { name, label, optional, help, required, words, autoComplete } = props;
  const { id, error, aria } = useField(name, help);
  const [value, setValue] = useState("");
  const [opened, setOpened] = useState(false);
  const options = useOptions(props, opened || value !== "");
  const searchable = useFinePointer();
  const open = () => setOpened(true);
  const select = useRef(null);

  useEffect(() => {
    const restore = ({ detail }) => setValue(detail);
    const element = select.current;
    element.addEventListener("restore", restore);
    return () => element.removeEventListener("restore", restore);
  }, []);
  const announced = useRef(value);
  useEffect(() => {
    if (announced.current === value) {
      return;
    }
    announced.current = value;
    select.current.dispatchEvent(new Event("input", { bubbles: true })); // the form keeps its draft
  }, [value]);

  // Without its list, as before a script has run, it is asked for by the provider.
  const isListed = options.some((one) => one.value === value);
  const native = {
    name,
    required: required && options.length > 0,
    autoComplete,
    value,
    onChange: ({ target }) => setValue(target.value),
  };
  const hidden = searchable
    ? { "className": "sr-only", "tabIndex": -1, "aria-hidden": true }
    : { id, className: "control control-select", ...aria };
  return (
    <Field {...{ id, label, optional, help, error }}>
      <div className="select" onPointerDown={open} onFocus={open}>
        {searchable && <Combobox {...{ id, name, aria, required, options, value, words }} onChoose={setValue} />}
        <select ref={select} {...native} {...hidden}>
          <option value="">{searchable ? "" : words.choose}</option>
          {!isListed && value && <option value={value}>{value}</option>}
          {options.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
        <SelectMark />
      </div>
    </Field>
  );
};

export const SelectMark = () => (
  <svg className="select-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d="M7.41 8.58 12 13.17l4.59-4.59L18 10l-6 6-6-6z" />
  </svg>
);

// The rows of the server, or, where somebody has `asked` before they are there, the names the browser has for the codes: to name and sort
// those takes a slow phone a tenth of a second. What is pre-rendered has neither, names may differ there.
const useOptions = ({ rows, codes, first, kind, langTag: tag, words: { coded } }, asked) => {
  const sent = useDeferredValue(rows);
  const usesBuiltIn = asked && !sent?.length;
  return useMemo(() => {
    const named = favourites(usesBuiltIn ? builtIn(codes, kind, tag) : (sent ?? []), kind, first);
    return named.map(([code, name]) => ({
      value: code,
      label: kind === "currency" ? coded.replace("{name}", name).replace("{detail}", code) : name,
    }));
  }, [sent, usesBuiltIn, tag]);
};
const builtIn = (codes, kind, tag) => {
  const names = new Intl.DisplayNames([tag], { type: kind, fallback: "code" });
  const order = new Intl.Collator(tag);
  return codes.map((code) => [code, names.of(code)]).sort(([, one], [, other]) => order.compare(one, other));
};

// The order of the list, but for the visitor's own country and the codes that most visitors choose.
const favourites = (named, kind, first = []) => {
  const usesBuiltIn = navigator.language.split("-").at(-1); // no Intl.Locale: it throws at a language such as "C", which WebKit may have
  const top = kind === "region" ? [usesBuiltIn, ...first] : first;
  const place = ([code]) => (top.includes(code) ? top.indexOf(code) : top.length);
  return [...named].sort((one, other) => place(one) - place(other));
};

const finePointer = () => matchMedia("(pointer: fine)");
const onPointerChange = (answer) => {
  const query = finePointer();
  query.addEventListener("change", answer);
  return () => query.removeEventListener("change", answer);
};
export const useFinePointer = () =>
  useSyncExternalStore(
    onPointerChange,
    () => finePointer().matches,
    () => false,
  );
