// A text field that finds one of many, by the ARIA pattern of an editable combobox with a list.
import { useLayoutEffect, useRef, useState } from "react";

const PAGE = 8;
const ENDS_COMPOSITION = 229; // the key code of Safari's Enter that ends a word of an input method; by then nothing composes any more
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/** First what begins so or has that code, then what has words that begin so ("uni king"), then what contains it. */
export const found = (options, query) => {
  const wanted = plain(query.trim());
  if (!wanted) {
    return options;
  }
  const parts = wanted.split(/\s+/);
  const rank = ({ label, value }) => {
    const text = plain(label);
    const words = text.split(/[^\p{L}\p{N}]+/u);
    if (text.startsWith(wanted) || plain(value) === wanted) {
      return 0;
    }
    if (parts.every((part) => words.some((word) => word.startsWith(part)))) {
      return 1;
    }
    return text.includes(wanted) ? 2 : 3;
  };
  const ranked = options.map((one) => [rank(one), one]).filter(([order]) => order < 3);
  return ranked.sort(([one], [other]) => one - other).map(([, one]) => one);
};

export const Combobox = ({ id, name, aria, required, options, value, words, onChoose }) => {
  const labelOf = (chosen) => options.find((one) => one.value === chosen)?.label ?? chosen;
  const [text, setText] = useState(null); // null: what is chosen
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const box = useRef(null);
  const input = useRef(null);
  const shown = found(options, text ?? "");
  const listId = `${id}-list`;
  const optionId = (one) => `${id}-${one.value}`;

  const show = (at) => {
    setOpen(true);
    setActive(at ?? shown.findIndex((one) => one.value === value));
  };
  const hide = () => {
    setOpen(false);
    setText(null);
  };
  const choose = (one) => {
    onChoose(one ? one.value : "");
    hide();
  };
  // Leaving takes what is meant, if that is clear; else what was chosen before stands again.
  const leave = ({ relatedTarget }) => {
    if (box.current.contains(relatedTarget)) {
      return;
    }
    if (text !== null && !text.trim()) {
      return choose(null);
    }
    const exact = text !== null && shown.filter((one) => plain(one.label) === plain(text.trim()));
    const meant = open && text !== null && (exact[0] ?? (shown.length === 1 ? shown[0] : shown[active]));
    meant ? choose(meant) : hide();
  };
  const press = () => {
    if (!open) {
      show();
    } else if (text === null) {
      hide();
    } // a press into what is typed is there to mend it
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
        setActive(Math.min(Math.max(to, 0), shown.length - 1));
      }
    } else if (event.key === "Enter" && open) {
      if (shown.length) {
        choose(shown[active] ?? shown[0]);
      }
    } else if (event.key === "Escape" && open) {
      event.stopPropagation(); // the dialog around it stays open
      hide();
    } else {
      return;
    }
    event.preventDefault();
  };

  useLayoutEffect(() => {
    if (open) {
      document.getElementById(listId)?.scrollIntoView({ block: "nearest" });
    } // a dialog ends sooner than the page
  }, [open]);
  useLayoutEffect(() => {
    if (open && shown[active]) {
      document.getElementById(optionId(shown[active]))?.scrollIntoView({ block: "nearest" });
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
        aria-activedescendant={open && shown[active] ? optionId(shown[active]) : undefined}
        value={text ?? labelOf(value)}
        onKeyDown={key}
        onClick={press}
        onFocus={({ target }) => {
          target.select(); // which keeps WebKit from scrolling to it
          target.scrollIntoView({ block: "nearest" });
        }}
        onChange={({ target }) => (setText(target.value), setOpen(true), setActive(target.value.trim() ? 0 : -1))}
      />
      {open && (
        <ul className="options" id={listId} role="listbox" aria-label={words.list}>
          {shown.map((one, at) => (
            <li
              key={one.value}
              id={optionId(one)}
              role="option"
              className="option"
              aria-selected={one.value === value}
              data-active={at === active || undefined}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(one)}
            >
              {one.label}
            </li>
          ))}
          {!shown.length && (
            <li className="option-none" role="option" aria-disabled="true" aria-selected="false">
              {words.none}
            </li>
          )}
        </ul>
      )}
    </div>
  );
};
