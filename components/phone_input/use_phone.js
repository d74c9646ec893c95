// The field's text and country, and everything that changes them. phone_state.js computes the changes.
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { lookUp, warn } from "./lookup.js";
import {
  fittingText,
  initialState,
  maxLengthOf,
  nextState,
  optionsOf,
  textInChosenCountry,
  typedTextOf,
} from "./phone_state.js";

const EMPTY_PAYLOAD = {
  country: null,
  countryCode: null,
  formatted: "",
  valid: null,
  possible: null,
  nationalNumber: null,
  number: null,
  ext: null,
  verdict: null,
};

/** Returns the state of the field and its event handlers. `engine` is null until it is loaded; `input` is a ref. */
export function usePhone(props, engine, input) {
  const [state, setState] = useState(initialState(props.defaultValue));
  const current = useRef(state); // newer than `state` until the next render
  const caret = useCaret(state, input);
  const list = useCountries(props, engine);
  const callHandlers = useHandlers(props);
  const setCurrent = (next) => setState((current.current = next));

  /**
   * Applies a change and calls the event handlers.
   * @param {Partial<typeof state>} part
   * @param {{ format?: "never" | "ifNew" | "always", silent?: boolean }} how
   */
  const change = (part, { format = "ifNew", silent = false } = {}) => {
    const previous = current.current;
    const next = nextState(previous, part, { engine, countries: list?.countries, props, format });
    if (list && part.text !== undefined && caret.current !== null) {
      caret.current = engine.caretAfter(part.text, caret.current, next.text);
    }
    setCurrent(next);
    callHandlers(next, previous, silent);
  };

  const field = { props, engine, list, current, caret, input, change, setCurrent };
  useTextBeforeReact(field);
  useFirstCountry(field);
  useListedCountry(field);
  useReformatting(field);
  const changeWithEvent = useInputEvent(change, state, input);
  return {
    state,
    list,
    maxLength: maxLengthOf(state, { engine, props }),
    ...typingHandlers(field, changeWithEvent),
    ...countryChoices(field, changeWithEvent),
    leave: () => change({ wasLeft: true, text: current.current.text }, { format: "always" }),
    reset: () => change({ text: props.defaultValue, hiddenExt: null, wasLeft: false, isManual: false }),
  };
}

// Takes over text typed before React ran, which the next render would remove.
function useTextBeforeReact({ current, input, setCurrent }) {
  const takeOver = useEffectEvent(() => {
    const { value } = input.current;
    if (value !== current.current.text) {
      setCurrent({ ...current.current, text: value, typed: value });
    }
  });
  useLayoutEffect(() => takeOver(), []);
}

// On a change of language or list, keeps the country with its new name, or chooses the first in the list.
function useListedCountry({ engine, list, current, change }) {
  const keepCountry = useEffectEvent(() => {
    const { country, isManual } = current.current;
    if (!list || !country) {
      return;
    }
    const listed = engine.countryByCode(list.countries, country.iso2);
    const isKept = Boolean(listed);
    change({ country: listed ?? list.countries[0] ?? null, isManual: isKept && isManual }, { format: "never" });
  });
  useEffect(() => keepCountry(), [list]);
}

// Formats the text again when the options of formatting change.
function useReformatting({ props, current, change }) {
  const formatAgain = useEffectEvent(() => {
    if (current.current.report) {
      change({ text: current.current.text }, { format: "always" });
    }
  });
  useEffect(() => formatAgain(), [props.mode, props.customPattern, props.autoFormat]);
}

// Returns the functions by which the visitor, or a script, chooses the country.
function countryChoices({ engine, list, current, change }, changeWithEvent) {
  const choose = (country) => change({ country, isManual: true, text: current.current.text });
  return {
    choose,
    chooseCode: (iso2) => list && choose(engine.countryByCode(list.countries, iso2) ?? current.current.country),
    // The two answers to "Which country is right?": the number's country, or the chosen one with the number's digits.
    believeNumber: () => {
      const country = engine.countryByCode(list.countries, current.current.report.parsed.country);
      changeWithEvent({ country, isManual: false });
    },
    believeCountry: () => changeWithEvent({ text: textInChosenCountry(current.current), wasLeft: true }),
  };
}

// Returns the handlers of what the visitor types and pastes.
function typingHandlers({ props, engine, current, caret, change, setCurrent }, changeWithEvent) {
  const onInput = (event) => {
    const { value, selectionStart } = event.target;
    const { isComposing, inputType = "" } = event.nativeEvent;
    // While an input method composes, the text is not a number yet.
    if (isComposing) {
      setCurrent({ ...current.current, text: value, typed: typedTextOf(value, current.current, engine) });
      return;
    }
    const clean = (text) => (props.validCharactersOnly && engine ? engine.stripOtherCharacters(text) : text);
    const typed = clean(typedTextOf(value, current.current, engine));
    const text = fittingText(clean(value), typed, current.current, { engine, props });
    caret.current = engine ? engine.caretAfter(value, selectionStart, text) : null;
    const isDeletion = inputType.startsWith("delete");
    const endsInDigit = /\p{Decimal_Number}$/u.test(text.slice(0, selectionStart)); // if not, the visitor may be typing "ext"
    const format = !isDeletion && endsInDigit ? "ifNew" : "never";
    change({ text, typed, wasLeft: text ? current.current.wasLeft : false }, { format });
  };

  const onPaste = (event) => {
    const { value, selectionStart, selectionEnd } = event.target;
    if (!engine || props.readOnly || props.disabled) {
      return;
    }
    event.preventDefault();
    const wholeText = value.slice(0, selectionStart) + event.clipboardData.getData("text/plain") + value.slice(selectionEnd);
    const { text, hiddenExt = null } = engine.textOfPaste(wholeText, optionsOf(current.current, props), props.maxLength);
    caret.current = text.length;
    changeWithEvent({ text, hiddenExt, wasLeft: false });
  };
  return { onInput, onPaste };
}

// Chooses the first country: from the number itself, else the default, the lookup, the first preferred, the first in the list.
function useFirstCountry({ props, engine, list, current, caret, input, change }) {
  // Returns true if the country is known without the lookup.
  const chooseKnown = useEffectEvent(() => {
    if (current.current.country) {
      return true;
    }
    const { countries } = list;
    const { text } = current.current;
    const presetCountry = engine.countryByCode(countries, props.defaultCountry);
    change({ text }, { silent: true });
    if (!current.current.country && (presetCountry || !props.autoDefaultCountry)) {
      const country = presetCountry ?? countries[0] ?? null;
      change({ country, isLookupOver: true, text }, { silent: true });
      return true;
    }
    return Boolean(current.current.country);
  });
  const requestCode = useEffectEvent(() => lookUp(props.lookupUrl));
  const chooseByCode = useEffectEvent((code) => {
    // A country was chosen meanwhile, by hand or by a typed +.
    if (current.current.country) {
      return;
    }
    const country = engine.countryByCode(list.countries, code);
    // The list does not offer the country.
    if (code && !country) {
      warn();
    }
    caret.current = input.current.selectionStart;
    change({ country: country ?? list.countries[0] ?? null, isLookupOver: true, text: current.current.text });
  });
  useEffect(() => {
    if (!engine || chooseKnown()) {
      return;
    }
    let isMounted = true;
    requestCode().then((code) => isMounted && chooseByCode(code));
    return () => {
      isMounted = false;
    };
  }, [engine]);
}

// Returns a ref for the caret's position after the next render; null leaves it to the browser.
function useCaret(state, input) {
  const caret = useRef(null);
  useLayoutEffect(() => {
    if (caret.current === null) {
      return;
    }
    if (document.activeElement === input.current) {
      input.current.setSelectionRange(caret.current, caret.current);
    }
    caret.current = null;
  }, [state, input]);
  return caret;
}

// Returns `change` with an input event once the input has the new value: the browser fires none for a handled paste or an answered question, and
// the surrounding form needs it.
function useInputEvent(change, state, input) {
  const isRequested = useRef(false);
  useEffect(() => {
    if (!isRequested.current) {
      return;
    }
    isRequested.current = false;
    input.current.dispatchEvent(new Event("input", { bubbles: true }));
  }, [state, input]);
  return (part) => {
    isRequested.current = true;
    change(part);
  };
}

// Returns the list of countries, once the engine is loaded.
function useCountries({ allCountries, preferredCountries, onlyCountries, ignoredCountries, language }, engine) {
  const lists = JSON.stringify([allCountries, preferredCountries, onlyCountries, ignoredCountries]); // every render may pass new arrays
  return useMemo(() => {
    if (!engine) {
      return null;
    }
    const [own, preferred, only, ignored] = JSON.parse(lists);
    return engine.arrange(own.length ? own : engine.everyCountry(language), { preferred, only, ignored });
  }, [engine, language, lists]);
}

// Returns a function that calls the event handlers for a change of the state.
function useHandlers({ onInput, onVerdict, onCountryChanged }) {
  const reported = useRef({ country: "", verdict: "" });
  return (next, previous, silent) => {
    const payload = next.report?.payload ?? null;
    if (next.country && next.country.iso2 !== reported.current.country) {
      onCountryChanged?.(next.country);
    }
    reported.current.country = next.country?.iso2;
    const isOtherCountry = previous.country && next.country !== previous.country;
    if (!silent && (next.text !== previous.text || isOtherCountry)) {
      onInput?.(next.text, payload ?? { ...EMPTY_PAYLOAD, formatted: next.text });
    }
    // No verdict before the lookup of the first country has ended.
    if (!payload || !(next.country || next.isLookupOver)) {
      return;
    }
    const { formatted, nationalNumber, ...verdict } = payload;
    if (JSON.stringify(verdict) === reported.current.verdict) {
      return;
    }
    reported.current.verdict = JSON.stringify(verdict);
    onVerdict?.(payload);
  };
}
