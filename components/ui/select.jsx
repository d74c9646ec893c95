// A select with many options, such as countries: searchable with a mouse, the device's native list on touch screens.
// The <select> always exists and contains the value. Until the server's lists arrive, it offers the names that the browser knows.
import { useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useField } from "$/components/reliable_form/context";
import { RESTORE } from "$/components/reliable_form/draft";
import { Combobox } from "$/components/ui/combobox";
import { Field } from "$/components/ui/field";

/** `rows` are the server's options, `codes` those that the browser can name. */
export const Select = (props) => {
  const { name, label, optional, help, required, words, autoComplete } = props;
  const { id, error, aria } = useField(name, help);
  const select = useRef(null);
  const { value, setValue } = useDraftValue(select);
  const [isOpened, setIsOpened] = useState(false);
  const options = useOptions(props, isOpened || value !== "");
  const isSearchable = useFinePointer();
  const open = () => setIsOpened(true);
  const isListed = options.some((option) => option.value === value);
  const valueProps = {
    name,
    required: required && options.length > 0, // without options, as before scripts run, the provider asks for the field instead
    autoComplete,
    value,
    onChange: ({ target }) => setValue(target.value),
  };
  const lookProps = isSearchable
    ? { "className": "sr-only", "tabIndex": -1, "aria-hidden": true }
    : { id, className: "control control-select", ...aria };
  return (
    <Field {...{ id, label, optional, help, error }}>
      <div className="select" onPointerDown={open} onFocus={open}>
        {isSearchable && <Combobox {...{ id, name, aria, required, options, value, words }} onChoose={setValue} />}
        <select ref={select} {...valueProps} {...lookProps}>
          <option value="">{isSearchable ? "" : words.choose}</option>
          {!isListed && value && <option value={value}>{value}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <SelectMark />
      </div>
    </Field>
  );
};

// Returns the value and its setter. A draft of the form sets the value, too; a change of the value makes the form store its draft.
const useDraftValue = (select) => {
  const [value, setValue] = useState("");
  const reported = useRef(value);
  useEffect(() => {
    const restore = ({ detail }) => setValue(detail);
    const element = select.current;
    element.addEventListener(RESTORE, restore);
    return () => element.removeEventListener(RESTORE, restore);
  }, [select]);
  useEffect(() => {
    if (reported.current === value) {
      return;
    }
    reported.current = value;
    select.current.dispatchEvent(new Event("input", { bubbles: true }));
  }, [select, value]);
  return { value, setValue };
};

/** The arrow of a select. */
export const SelectMark = () => (
  <svg className="select-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d="M7.41 8.58 12 13.17l4.59-4.59L18 10l-6 6-6-6z" />
  </svg>
);

// Returns the server's rows, or, if the field is used (`isUsed`) before they arrive, the browser's names for the codes; naming and sorting
// these takes a slow phone a tenth of a second. Pre-rendered pages have neither, because the names may differ there.
const useOptions = ({ rows, codes, first, kind, langTag: tag, words: { coded } }, isUsed) => {
  const serverRows = useDeferredValue(rows);
  const usesBrowserRows = isUsed && !serverRows?.length;
  return useMemo(() => {
    const namedOptions = favouritesFirst(usesBrowserRows ? browserRows(codes, kind, tag) : (serverRows ?? []), kind, first);
    return namedOptions.map(([code, name]) => ({
      value: code,
      label: kind === "currency" ? coded.replace("{name}", name).replace("{detail}", code) : name,
    }));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the texts change with the tag, and the other options never; their arrays are new with each render
  }, [serverRows, usesBrowserRows, tag]);
};
const browserRows = (codes, kind, tag) => {
  const names = new Intl.DisplayNames([tag], { type: kind, fallback: "code" });
  const order = new Intl.Collator(tag);
  return codes.map((code) => [code, names.of(code)]).sort(([, name], [, otherName]) => order.compare(name, otherName));
};

// Moves the visitor's own country and the most common codes to the top of the list.
const favouritesFirst = (namedOptions, kind, first = []) => {
  const visitorCountry = navigator.language.split("-").at(-1); // not Intl.Locale, which throws for a language such as "C", possible in WebKit
  const top = kind === "region" ? [visitorCountry, ...first] : first;
  const place = ([code]) => (top.includes(code) ? top.indexOf(code) : top.length);
  return [...namedOptions].sort((left, right) => place(left) - place(right));
};

const finePointer = () => matchMedia("(pointer: fine)");
const onPointerChange = (listener) => {
  const query = finePointer();
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};
/** Returns true if the visitor has a mouse or another exact pointer. */
export const useFinePointer = () =>
  useSyncExternalStore(
    onPointerChange,
    () => finePointer().matches,
    () => false,
  );
