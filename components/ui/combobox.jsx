// A text field that searches a list of options, by the ARIA pattern of an editable combobox.
import { useLayoutEffect, useRef, useState } from "react";

const PAGE = 8;
const ENDS_COMPOSITION = 229; // the key code of Safari's Enter that ends an input method's composition, when isComposing is already false
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/** Returns the matches: first labels that begin with the query, or its code, then labels with words that begin so ("uni king"), then any. */
export const found = (options, query) => {
  const needle = plain(query.trim());
  if (!needle) {
    return options;
  }
  const parts = needle.split(/\s+/);
  const rank = ({ label, value }) => {
    const text = plain(label);
    const words = text.split(/[^\p{L}\p{N}]+/u);
    if (text.startsWith(needle) || plain(value) === needle) {
      return 0;
    }
    if (parts.every((part) => words.some((word) => word.startsWith(part)))) {
      return 1;
    }
    return text.includes(needle) ? 2 : 3;
  };
  const ranked = options.map((option) => [rank(option), option]).filter(([order]) => order < 3);
  return ranked.sort(([option], [other]) => option - other).map(([, option]) => option);
};

export const Combobox = ({ id, name, aria, required, options, value, words, onChoose }) => {
  const labelOf = (chosen) => options.find((option) => option.value === chosen)?.label ?? chosen;
  const [text, setText] = useState(null); // null: show the chosen option
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const box = useRef(null);
  const input = useRef(null);
  const matches = found(options, text ?? "");
  const listId = `${id}-list`;
  const optionId = (option) => `${id}-${option.value}`;

  const show = (at) => {
    setOpen(true);
    setActive(at ?? matches.findIndex((option) => option.value === value));
  };
  const hide = () => {
    setOpen(false);
    setText(null);
  };
  const choose = (option) => {
    onChoose(option ? option.value : "");
    hide();
  };
  // On blur, chooses the option that the text clearly means; otherwise restores the previous choice.
  const leave = ({ relatedTarget }) => {
    if (box.current.contains(relatedTarget)) {
      return;
    }
    if (text !== null && !text.trim()) {
      return choose(null);
    }
    const exact = text !== null && matches.filter((option) => plain(option.label) === plain(text.trim()));
    const candidate = open && text !== null && (exact[0] ?? (matches.length === 1 ? matches[0] : matches[active]));
    candidate ? choose(candidate) : hide();
  };
  const press = () => {
    if (!open) {
      show();
    } else if (text === null) {
      hide();
    } // a press into typed text is for editing it
  };
  const moves = () => ({
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + PAGE,
    PageUp: active - PAGE,
  });
  const key = (event) => {
    if (event.nativeEvent.isComposing || event.keyCode === ENDS_COMPOSITION || event.ctrlKey || event.metaKey) {
      return;
    }
    const to = moves()[event.key];
    if (to !== undefined) {
      if (!open) {
        show();
      } else {
        setActive(Math.min(Math.max(to, 0), matches.length - 1));
      }
    } else if (event.key === "Enter" && open) {
      if (matches.length) {
        choose(matches[active] ?? matches[0]);
      }
    } else if (event.key === "Escape" && open) {
      event.stopPropagation(); // keeps the surrounding dialog open
      hide();
    } else {
      return;
    }
    event.preventDefault();
  };

  useLayoutEffect(() => {
    if (open) {
      document.getElementById(listId)?.scrollIntoView({ block: "nearest" });
    } // the list may extend below the dialog's visible part
  }, [open]);
  useLayoutEffect(() => {
    if (open && matches[active]) {
      document.getElementById(optionId(matches[active]))?.scrollIntoView({ block: "nearest" });
    }
  }, [open, active]);

  return (
    <div className="select" ref={box} onBlur={leave}>
      <input
        {...{ id, ...aria }}
        ref={input}
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
        aria-activedescendant={open && matches[active] ? optionId(matches[active]) : undefined}
        value={text ?? labelOf(value)}
        onKeyDown={key}
        onClick={press}
        onFocus={({ target }) => {
          target.select(); // keeps WebKit from scrolling to it
          target.scrollIntoView({ block: "nearest" });
        }}
        onChange={({ target }) => (setText(target.value), setOpen(true), setActive(target.value.trim() ? 0 : -1))}
      />
      {open && (
        <ul className="options" id={listId} role="listbox" aria-label={words.list}>
          {matches.map((option, at) => (
            <li
              key={option.value}
              id={optionId(option)}
              role="option"
              className="option"
              aria-selected={option.value === value}
              data-active={at === active || undefined}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
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
      )}
    </div>
  );
};
