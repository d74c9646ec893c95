// A text field that searches a list of options, by the ARIA pattern of an editable combobox. Shares nothing with the list of countries in
// phone_input/country_list.jsx, because other projects copy that folder as a whole.
import { useEffectEvent, useLayoutEffect, useRef, useState } from "react";

const MOVES = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }; // in options
const ENDS_COMPOSITION = 229; // the key code of Safari's Enter that ends an input method's composition, when isComposing is already false
const NO_MATCH = 3; // the rank of labels that do not match
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/** Returns the matches: first labels that begin with the query, or its code, then labels with words that begin so ("uni king"), then any. */
export const rankedMatches = (options, query) => {
  const needle = folded(query.trim());
  if (!needle) {
    return options;
  }
  const queryWords = needle.split(/\s+/);
  const rank = ({ label, value }) => {
    const text = folded(label);
    const words = text.split(/[^\p{L}\p{N}]+/u);
    if (text.startsWith(needle) || folded(value) === needle) {
      return 0;
    }
    if (queryWords.every((queryWord) => words.some((word) => word.startsWith(queryWord)))) {
      return 1;
    }
    return text.includes(needle) ? 2 : NO_MATCH;
  };
  const ranked = options.map((option) => [rank(option), option]).filter(([matchRank]) => matchRank < NO_MATCH);
  return ranked.sort(([rankA], [rankB]) => rankA - rankB).map(([, option]) => option);
};

/** `value` is the code of the chosen option; `onChoose` receives a code, or "" for none. */
export const Combobox = ({ id, name, aria, required, options, value, words, onChoose }) => {
  const box = useRef(null);
  const { text, open, active, matches, choose, onBlur, ...handlers } = useCombobox({ options, value, onChoose, box });
  const labelOf = (code) => options.find((option) => option.value === code)?.label ?? code;
  const listId = `${id}-list`;
  const optionId = (option) => `${id}-${option.value}`;
  const activeId = open && matches[active] ? optionId(matches[active]) : undefined;
  useScroll({ open, active, activeId, listId });
  return (
    <div className="select" ref={box} onBlur={onBlur}>
      <input
        {...{ id, ...aria }}
        className="control control-select"
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        data-field={name}
        placeholder={words.search}
        aria-required={required || undefined}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        aria-activedescendant={activeId}
        value={text ?? labelOf(value)}
        {...handlers}
      />
      {open && (
        <Options {...{ listId, words, matches, active, value, optionId }} onPick={choose} />
      )}
      <p className="sr-only" role="status">
        {open && !matches.length && words.none}
      </p>
    </div>
  );
};

// Returns what the list shows, `choose`, and the handlers of the field; `box` is a ref to the element around both.
const useCombobox = ({ options, value, onChoose, box }) => {
  const list = useList({ options, value, onChoose });
  const { text, open, active, matches, show, hide, choose, search } = list;

  // Chooses the option that the text clearly means; otherwise restores the previous choice.
  const onBlur = ({ relatedTarget }) => {
    if (box.current.contains(relatedTarget)) {
      return;
    }
    const option = meantOption(list);
    if (text !== null && !text.trim()) {
      choose(null);
    } else if (option) {
      choose(option);
    } else {
      hide();
    }
  };
  const onChange = ({ target }) => search(target.value);
  const onClick = () => {
    if (!open) {
      show();
    } else if (text === null) {
      // A press into typed text is for editing it, so the list stays.
      hide();
    }
  };
  const onFocus = ({ target }) => {
    target.select(); // keeps WebKit from scrolling to it
    target.scrollIntoView({ block: "nearest" });
  };
  return { text, open, active, matches, choose, onBlur, onChange, onClick, onFocus, onKeyDown: keyHandler(list) };
};

// Returns what the list shows, and the functions that change it. `text` is what is typed, null shows the chosen option; `active` is an index.
const useList = ({ options, value, onChoose }) => {
  const [text, setText] = useState(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const matches = rankedMatches(options, text ?? "");
  const show = () => {
    setOpen(true);
    setActive(matches.findIndex((option) => option.value === value));
  };
  const hide = () => {
    setOpen(false);
    setText(null);
  };
  const choose = (option) => {
    onChoose(option ? option.value : "");
    hide();
  };
  const search = (query) => {
    setText(query);
    setOpen(true);
    setActive(query.trim() ? 0 : -1);
  };
  return { text, open, active, matches, show, hide, choose, search, setActive };
};

// Returns the option whose label is typed, else the only match, else the active one.
const meantOption = ({ text, open, active, matches }) => {
  if (!open || text === null) {
    return undefined;
  }
  const exact = matches.find((option) => folded(option.label) === folded(text.trim()));
  return exact ?? (matches.length === 1 ? matches[0] : matches[active]);
};

const keyHandler = (list) => (event) => {
  if (event.nativeEvent.isComposing || event.keyCode === ENDS_COMPOSITION || event.ctrlKey || event.metaKey) {
    return;
  }
  const act = actionOf(event.key, list);
  if (!act) {
    return;
  }
  event.preventDefault();
  if (event.key === "Escape") {
    event.stopPropagation(); // keeps the surrounding dialog open
  }
  act();
};

// Returns what a key does; undefined for keys that mean nothing to the list.
const actionOf = (key, { open, active, matches, show, hide, choose, setActive }) => {
  if (key in MOVES) {
    return open ? () => setActive(Math.min(Math.max(active + MOVES[key], 0), matches.length - 1)) : show;
  }
  const actions = { Enter: () => matches.length && choose(matches[active] ?? matches[0]), Escape: hide };
  return open ? actions[key] : undefined;
};

// Scrolls to the list when it opens, and to its active option.
const useScroll = ({ open, active, activeId, listId }) => {
  const scrollTo = (id) => document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  useLayoutEffect(() => {
    if (open) {
      scrollTo(listId); // it may extend below the dialog's visible part
    }
  }, [open, listId]);
  const scrollToActive = useEffectEvent(() => activeId && scrollTo(activeId));
  useLayoutEffect(() => {
    scrollToActive();
  }, [open, active]); // not when other matches are typed: the list begins with them
};

const Options = ({ listId, words, matches, active, value, optionId, onPick }) => (
  <ul className="options" id={listId} role="listbox" aria-label={words.list}>
    {matches.map((option, index) => (
      <li
        key={option.value}
        id={optionId(option)}
        role="option"
        className="option"
        aria-selected={option.value === value}
        data-active={index === active || undefined}
        onPointerDown={(event) => event.preventDefault()} // keeps the focus in the text field
        onClick={() => onPick(option)}
      >
        {option.label}
      </li>
    ))}
    {!matches.length && (
      <li className="option-none" role="option" aria-disabled="true" aria-selected="false">
        {words.none}
      </li>
    )}
  </ul>
);
