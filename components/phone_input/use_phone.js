// The field's text and country, and everything that changes them.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { lookUp, warn } from "./lookup.js";

const NOTHING = {
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

export function usePhone(props, engine, input) {
  const [state, setState] = useState({
    text: props.defaultValue,
    typed: props.defaultValue, // the text without characters added by formatting; its length counts
    country: null,
    looked: false, // true once the country lookup has ended
    byHand: false, // true: nothing overrides a country chosen by hand
    kept: null, // an extension that the rule of valid characters keeps out of the text
    left: false, // true if the field has lost the focus since it was empty
    report: null,
  });
  const now = useRef(state);
  const latest = useRef(props);
  const caret = useRef(null);
  const reported = useRef({ country: "", verdict: "" });
  latest.current = props;

  const { allCountries, preferredCountries: preferred, onlyCountries: only, ignoredCountries: ignored } = props;
  const lists = JSON.stringify([allCountries, preferred, only, ignored]); // compared by content, because every render may pass new arrays
  const list = useMemo(() => {
    if (!engine) {
      return null;
    }
    return engine.arrange(allCountries.length ? allCountries : engine.everyCountry(props.language), {
      preferred,
      only,
      ignored,
    });
  }, [engine, props.language, lists]);

  const optionsFor = ({ country, kept }) => ({
    region: country?.iso2,
    only,
    ignored,
    mode: props.mode,
    pattern: props.customPattern,
    validCharactersOnly: props.validCharactersOnly,
    maxLength: props.maxLength,
    kept,
  });

  /**
   * Applies a change: updates the country from the number, formats a number that has just become valid, and calls the event handlers.
   * @param {Partial<typeof state>} part
   * @param {{ tidy?: boolean | "again", silent?: boolean }} how
   */
  const change = (part, { tidy = true, silent = false } = {}) => {
    const before = now.current;
    const next = { ...before, ...part };
    if (part.text !== undefined && part.text !== before.text && part.typed === undefined) {
      next.typed = part.text;
    }
    if (engine && list) {
      let { reading, payload } = engine.report(next.text, optionsFor(next));
      const follows = !next.byHand && followed(engine, list.countries, next, reading);
      if (follows) {
        next.country = follows;
        ({ reading, payload } = engine.report(next.text, optionsFor(next)));
      }
      const isNew = tidy === "again" || ["number", "ext"].some((name) => payload[name] !== before.report?.payload[name]);
      const formats = props.autoFormat && !props.customPattern && part.text !== undefined;
      // Grouping is only for valid numbers: a number that is no longer valid is shown as typed.
      if (formats && reading.valid) {
        next.typed = engine.ungrouped(next.typed);
      }
      if (formats && tidy && !reading.valid) {
        next.text = next.typed;
      }
      if (formats && tidy && isNew) {
        next.text = engine.tidied(next.text, reading, optionsFor(next));
      }
      next.report = next.text === part.text ? { reading, payload } : engine.report(next.text, optionsFor(next));
      if (part.text !== undefined && caret.current !== null) {
        caret.current = engine.caretAfter(part.text, caret.current, next.text);
      }
    }
    now.current = next;
    setState(next);
    tell(next, before, silent);
  };

  const tell = (next, before, silent) => {
    const { onInput, onVerdict, onCountryChanged } = latest.current;
    const payload = next.report?.payload ?? null;
    if (next.country && next.country.iso2 !== reported.current.country) {
      onCountryChanged?.(next.country);
    }
    reported.current.country = next.country?.iso2;
    if (!silent && (next.text !== before.text || (before.country && next.country !== before.country))) {
      onInput?.(next.text, payload ?? { ...NOTHING, formatted: next.text });
    }
    if (!payload || !settled(next)) {
      return;
    }
    const { formatted, nationalNumber, ...verdict } = payload;
    if (JSON.stringify(verdict) === reported.current.verdict) {
      return;
    }
    reported.current.verdict = JSON.stringify(verdict);
    onVerdict?.(payload);
  };
  const settled = (next) => next.country || next.looked; // no verdict before the lookup of the first country has ended

  // Takes over text typed before React ran, which the next render would remove.
  useLayoutEffect(() => {
    const { value } = input.current;
    if (value !== now.current.text) {
      setState((now.current = { ...now.current, text: value, typed: value }));
    }
  }, []);

  const fresh = useRef(null);
  fresh.current = { change, list }; // for replies that arrive after further renders

  // Chooses the first country: from the number itself, else the default, the lookup, the first preferred, the first in the list.
  useEffect(() => {
    if (!engine || now.current.country) {
      return;
    }
    const { countries } = list;
    const fallback = countries[0] ?? null;
    const { text: begun } = now.current;
    const defaultCountry = engine.named(countries, props.defaultCountry);
    change({ text: begun }, { silent: true });
    if (now.current.country) {
      return;
    }
    if (defaultCountry || !props.autoDefaultCountry) {
      return void change({ country: defaultCountry ?? fallback, looked: true, text: begun }, { silent: true });
    }
    let isMounted = true;
    lookUp(props.lookupUrl).then((found) => {
      if (!isMounted || now.current.country) {
        return;
      } // chosen by hand or by a typed + meanwhile
      const { change, list } = fresh.current;
      const { countries } = list;
      const country = engine.named(countries, found);
      if (found && !country) {
        warn();
      } // the country is not in the list
      caret.current = input.current.selectionStart;
      change({ country: country ?? countries[0] ?? null, looked: true, text: now.current.text });
    });
    return () => {
      isMounted = false;
    };
  }, [engine]);

  // On a change of language or list, keeps the country with its new name, or chooses the first in the list.
  useEffect(() => {
    const { country } = now.current;
    if (!list || !country) {
      return;
    }
    const same = engine.named(list.countries, country.iso2);
    change({ country: same ?? list.countries[0] ?? null, byHand: Boolean(same) && now.current.byHand }, { tidy: false });
  }, [list]);
  useEffect(() => {
    if (now.current.report) {
      change({ text: now.current.text }, { tidy: "again" });
    }
  }, [props.mode, props.customPattern, props.autoFormat]);

  useLayoutEffect(() => {
    if (caret.current === null) {
      return;
    }
    if (document.activeElement === input.current) {
      input.current.setSelectionRange(caret.current, caret.current);
    }
    caret.current = null;
  }, [state]);

  // The browser fires no input event for a handled paste or an answered question, so dispatch one for the surrounding form, once the input
  // has the new value.
  const untold = useRef(false);
  useEffect(() => {
    if (!untold.current) {
      return;
    }
    untold.current = false;
    input.current.dispatchEvent(new Event("input", { bubbles: true }));
  }, [state]);
  const changeAndTell = (part) => {
    untold.current = true;
    change(part);
  };

  const typed = (event) => {
    const { value, selectionStart } = event.target;
    const { isComposing, inputType = "" } = event.nativeEvent;
    if (isComposing) {
      return setState((now.current = { ...now.current, text: value, typed: typedOf(value) }));
    } // not a number yet while an input method composes
    const clean = (text) => (props.validCharactersOnly && engine ? engine.cleaned(text) : text);
    const typed = clean(typedOf(value));
    const text = fitting(clean(value), typed);
    caret.current = engine ? engine.caretAfter(value, selectionStart, text) : null;
    const unfinished = inputType.startsWith("delete") || !/\p{Decimal_Number}$/u.test(text.slice(0, selectionStart)); // perhaps typing "ext"
    change({ text, typed, left: text ? now.current.left : false }, { tidy: !unfinished });
  };

  // Returns the input's new text without the grouping added by formatting.
  const typedOf = (value) => {
    const { text: before, typed: typedBefore } = now.current;
    if (value.startsWith(before)) {
      return typedBefore + value.slice(before.length);
    }
    return engine && typedBefore !== before ? engine.ungrouped(value) : value;
  };

  // If formatting leaves no room for the next character, returns the text as typed, or else in fewer characters.
  const fitting = (text, typed) => {
    if (!engine || text.length <= props.maxLength) {
      return text;
    }
    const candidates = [typed, engine.shortest(text, engine.report(text, optionsFor(now.current)).reading)];
    return candidates.find(({ length }) => length <= props.maxLength) ?? typed;
  };

  const paste = (event) => {
    const { value, selectionStart, selectionEnd } = event.target;
    if (!engine || props.readOnly || props.disabled) {
      return;
    }
    event.preventDefault();
    const pastedText = value.slice(0, selectionStart) + event.clipboardData.getData("text/plain") + value.slice(selectionEnd);
    const found = engine.pasted(pastedText, optionsFor(now.current), props.maxLength);
    caret.current = found.text.length;
    changeAndTell({ text: found.text, kept: found.kept ?? null, left: false });
  };

  // The current maxlength of the input: characters added by formatting do not count.
  const { text, typed: own, report } = state;
  const used = engine && report ? Math.min(own.length, engine.usedLength(text, report.reading)) : own.length;
  const maxLength = text.length + Math.max(props.maxLength - used, 0);

  const choose = (country) => change({ country, byHand: true, text: now.current.text });
  return {
    state,
    list,
    maxLength,
    typed,
    paste,
    choose,
    chooseCode: (iso2) => list && choose(engine.named(list.countries, iso2) ?? now.current.country),
    left: () => change({ left: true, text: now.current.text }, { tidy: "again" }),
    reset: () => change({ text: props.defaultValue, kept: null, left: false, byHand: false }),
    // The two answers to "Which country is right?": the number's country, or the chosen one with the number's digits.
    believeNumber: () =>
      changeAndTell({ country: engine.named(list.countries, now.current.report.reading.country), byHand: false }),
    believeCountry: () => {
      const { country, report, text } = now.current;
      const { phone } = report.reading;
      changeAndTell({
        text: `${text.trimStart().startsWith("+") ? `+${country.dialCode} ` : ""}${phone.nationalNumber}`,
        left: true,
      });
    },
  };
}

// Returns the country of a number, if the list offers it; used while none has been chosen by hand.
function followed(engine, countries, { country }, { valid, country: of, phone, found }) {
  if (valid && of && phone.countryCallingCode !== country?.dialCode) {
    return engine.named(countries, of);
  }
  if (!found?.digits.startsWith("+")) {
    return null;
  }
  return (valid && engine.named(countries, of)) || engine.led(countries, found.digits.slice(1), country);
}
