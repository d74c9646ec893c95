// An international phone field. At first it is a plain <input type="tel"> of the same size, so it works in pre-rendered pages and without
// JavaScript; when it comes near the screen, the engine (numbering plans, countries, list) is loaded.
import { useEffect, useId, useRef, useState } from "react";
import { Selected } from "./flag.jsx";
import { Note, noteOf } from "./note.jsx";
import { usePhone } from "./use_phone.js";

// Delays a new note while the pointer is pressed: a line that appears would move a pressed button below away, and the click would be lost.
const useStill = (note) => {
  const [isPressed, setPressed] = useState(false);
  const shown = useRef(note);
  useEffect(() => {
    const press = () => setPressed(true);
    const letGo = () => setTimeout(() => setPressed(false));
    const listeners = { pointerdown: press, pointerup: letGo, pointercancel: letGo };
    for (const [kind, listener] of Object.entries(listeners)) {
      addEventListener(kind, listener, true);
    }
    return () => {
      for (const [kind, listener] of Object.entries(listeners)) {
        removeEventListener(kind, listener, true);
      }
    };
  }, []);
  if (!isPressed) {
    shown.current = note;
  }
  return shown.current;
};

export function PhoneInput(props) {
  const { words } = props;
  const field = useRef(null);
  const input = useRef(null);
  const noteId = useId();
  const ownId = useId();
  const id = props.id ?? ownId;
  const engine = useEngine(field);
  const phone = usePhone(props, engine, input);
  const { text, country, report } = phone.state;
  const note = noteOf(phone, props);

  useEffect(() => {
    const wrong = text && report?.payload.valid === false;
    input.current.setCustomValidity(wrong ? props.invalidText : ""); // never for an empty field, which may be optional
  }, [text, report, props.invalidText]);
  useEffect(() => {
    const { form } = input.current;
    form?.addEventListener("reset", phone.reset);
    return () => form?.removeEventListener("reset", phone.reset);
  });

  const look = {
    flags: props.showFlags,
    dialCodeInList: props.showDialCodeInList,
    dialCodeInSelection: props.showDialCodeInSelection,
    nativeOnTouch: props.nativeListOnTouch,
    searchBox: props.showSearchBox,
    searchPlaceholder: props.searchBoxPlaceholder,
    menuClass: props.listClassName,
  };
  const joined = (...names) => names.filter(Boolean).join(" ");
  const key = (event) => {
    if (event.key === "Enter") {
      props.onEnter?.();
    }
    if (event.key === " ") {
      props.onSpace?.();
    }
  };
  return (
    <div className={joined("phone", props.className)} data-ready={engine ? "" : undefined}>
      {props.label && (
        <label className="phone-label" htmlFor={id}>
          {props.label}
        </label>
      )}
      <div
        className="phone-field"
        ref={field}
        data-invalid={note.wrong || undefined}
        data-disabled={props.disabled || undefined}
      >
        {engine ? (
          <engine.CountryPicker
            {...phone.list}
            chosen={country}
            onChoose={(one, stay) => {
              phone.choose(one);
              if (!stay) {
                input.current.focus();
              }
            }}
            onOpen={props.onOpen}
            onClose={props.onClose}
            words={words}
            disabled={props.disabled || props.readOnly}
            look={look}
          />
        ) : (
          <div className="phone-picker">
            <Selected look={look} />
          </div>
        )}
        <input
          ref={(element) => {
            input.current = element;
            if (props.ref) {
              props.ref.current = element;
            }
          }}
          id={id}
          className={joined("phone-input", props.inputClassName)}
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
          aria-invalid={note.wrong || undefined}
          value={text}
          onChange={phone.typed}
          onCompositionEnd={phone.typed}
          onPaste={phone.paste}
          onFocus={() => props.onFocus?.()}
          onBlur={() => (phone.left(), props.onBlur?.())}
          onInvalid={phone.left}
          onKeyUp={key}
        />
        {props.countryName && (
          <input
            type="hidden"
            name={props.countryName}
            data-only-with={props.name}
            value={country?.iso2 ?? named(props.defaultCountry)}
            onInput={(event) => phone.chooseCode(event.currentTarget.value)}
          />
        )}
      </div>
      <Note id={noteId} note={useStill(note)} phone={phone} onAnswer={() => input.current.focus()} />
    </div>
  );
}

// Returns the default country if it is a two-letter code, as in a restored form, for use before the engine is loaded.
const named = (given) => (/^[A-Z]{2}$/.test(given) ? given : "");

// Loads the engine when the field becomes visible.
function useEngine(field) {
  const [engine, setEngine] = useState(null);
  useEffect(() => {
    let wanted = true;
    const fetchIt = () => {
      watch.disconnect();
      const failed = () => console.warn("phone input: the numbering plans could not be loaded"); // the field stays a plain input
      import("./engine.js").then((module) => wanted && setEngine(module), failed);
    };
    const watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && fetchIt());
    watch.observe(field.current);
    return () => {
      wanted = false;
      watch.disconnect();
    };
  }, []);
  return engine;
}
