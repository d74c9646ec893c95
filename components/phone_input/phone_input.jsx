// An international phone field. At first it is a plain <input type="tel"> of the same size, so it works in pre-rendered pages and without
// JavaScript; when it comes near the screen, the engine (numbering plans, countries, list) is loaded.
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Selected } from "./flag.jsx";
import { Note, noteOf } from "./note.jsx";
import { usePhone } from "./use_phone.js";

// Delays a new note while the pointer is pressed: a line that appears would move a pressed button below away, and the click would be lost.
const useNoteAfterPress = (note) => {
  const [isPressed, setIsPressed] = useState(false);
  const shownNote = useRef(note);
  useEffect(() => {
    const press = () => setIsPressed(true);
    const release = () => setTimeout(() => setIsPressed(false));
    const listeners = { pointerdown: press, pointerup: release, pointercancel: release };
    const listening = new AbortController();
    const { signal } = listening;
    for (const [type, listener] of Object.entries(listeners)) {
      addEventListener(type, listener, { capture: true, signal });
    }
    return () => listening.abort();
  }, []);
  if (!isPressed) {
    shownNote.current = note;
  }
  return shownNote.current;
};

/** The field with its country picker and the note below it. */
export function PhoneInput(props) {
  const field = useRef(null);
  const input = useRef(null);
  const noteId = useId();
  const ownId = useId();
  const id = props.id ?? ownId;
  const engine = useEngine(field);
  const phone = usePhone(props, engine, input);
  const note = noteOf(phone, props);
  useValidity(input, phone.state, props.invalidText);
  useFormReset(input, phone.reset);
  const focus = () => input.current.focus();
  return (
    <div className={classNames("phone", props.className)} data-ready={engine ? "" : undefined}>
      {props.label && (
        <label className="phone-label" htmlFor={id}>
          {props.label}
        </label>
      )}
      <div
        className="phone-field"
        ref={field}
        data-invalid={note.isError || undefined}
        data-disabled={props.disabled || undefined}
      >
        <Picker {...{ props, engine, phone }} onChosen={focus} />
        <NumberField {...{ props, phone, input, id, noteId }} isInvalid={note.isError} />
        {props.countryName && <CountryField {...{ props, phone }} />}
      </div>
      <Note id={noteId} note={useNoteAfterPress(note)} phone={phone} onAnswer={focus} />
    </div>
  );
}

const classNames = (...names) => names.filter(Boolean).join(" ");

// The country picker, or until the engine is loaded its closed selector, which does nothing.
const Picker = ({ props, engine, phone, onChosen }) => {
  const look = {
    flags: props.showFlags,
    dialCodeInList: props.showDialCodeInList,
    dialCodeInSelection: props.showDialCodeInSelection,
    nativeOnTouch: props.nativeListOnTouch,
    searchBox: props.showSearchBox,
    searchPlaceholder: props.searchBoxPlaceholder,
    menuClass: props.listClassName,
  };
  if (!engine) {
    return (
      <div className="phone-picker">
        <Selected look={look} />
      </div>
    );
  }
  const choose = (country, { keepsFocus = false } = {}) => {
    phone.choose(country);
    if (!keepsFocus) {
      onChosen();
    }
  };
  return (
    <engine.CountryPicker
      {...phone.list}
      chosen={phone.state.country}
      onChoose={choose}
      onOpen={props.onOpen}
      onClose={props.onClose}
      words={props.words}
      disabled={props.disabled || props.readOnly}
      look={look}
    />
  );
};

// The text field; its attributes are those that the page passes.
const NumberField = ({ props, phone, input, id, noteId, isInvalid }) => {
  const setInput = (element) => {
    input.current = element;
    if (props.ref) {
      props.ref.current = element;
    }
  };
  const onBlur = () => {
    phone.leave();
    props.onBlur?.();
  };
  const onKeyUp = ({ key }) => ({ "Enter": props.onEnter, " ": props.onSpace })[key]?.();
  return (
    <input
      ref={setInput}
      id={id}
      className={classNames("phone-input", props.inputClassName)}
      type={props.type}
      name={props.name}
      placeholder={props.placeholder}
      maxLength={phone.maxLength}
      autoComplete={props.autoComplete}
      tabIndex={props.tabIndex}
      disabled={props.disabled}
      readOnly={props.readOnly}
      required={props.required}
      autoFocus={props.autoFocus}
      aria-label={props.label ? undefined : props.ariaLabel || undefined}
      aria-describedby={noteId}
      aria-invalid={isInvalid || undefined}
      value={phone.state.text}
      onChange={phone.onInput}
      onCompositionEnd={phone.onInput}
      onPaste={phone.onPaste}
      onFocus={() => props.onFocus?.()}
      onBlur={onBlur}
      onInvalid={phone.leave}
      onKeyUp={onKeyUp}
    />
  );
};

// The chosen country as a field of the form; a script or a restored draft may set it.
const CountryField = ({ props, phone }) => (
  <input
    type="hidden"
    name={props.countryName}
    data-only-with={props.name}
    value={phone.state.country?.iso2 ?? knownCode(props.defaultCountry)}
    onInput={(event) => phone.chooseCode(event.currentTarget.value)}
  />
);

// Tells the browser, which validates a form before it is sent, that the number is invalid.
const useValidity = (input, { text, report }, invalidText) => {
  useEffect(() => {
    const isInvalid = text && report?.payload.valid === false;
    input.current.setCustomValidity(isInvalid ? invalidText : ""); // never for an empty field, which may be optional
  }, [input, text, report, invalidText]);
};

const useFormReset = (input, onReset) => {
  const reset = useEffectEvent(() => onReset());
  useEffect(() => {
    const { form } = input.current;
    const listening = new AbortController();
    form?.addEventListener("reset", () => reset(), { signal: listening.signal });
    return () => listening.abort();
  }, [input]);
};

// Returns the default country if it is a two-letter code, as in a restored form, for use before the engine is loaded.
const knownCode = (code) => (/^[A-Z]{2}$/.test(code) ? code : "");

// Loads the engine when the field becomes visible.
function useEngine(field) {
  const [engine, setEngine] = useState(null);
  useEffect(() => {
    let isMounted = true;
    const loadEngine = () => {
      observer.disconnect();
      const warn = () => console.warn("phone input: the numbering plans could not be loaded"); // the field stays a plain input
      import("./engine.js").then((module) => isMounted && setEngine(module), warn);
    };
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && loadEngine());
    observer.observe(field.current);
    return () => {
      isMounted = false;
      observer.disconnect();
    };
  }, [field]);
  return engine;
}
