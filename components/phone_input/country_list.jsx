// The list of countries: a combobox by the ARIA pattern, with or without a search box. Touch screens always get one, because type-ahead
// needs a keyboard. Deliberately shares nothing with ui/combobox.jsx: other projects copy this folder as a whole.
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { search } from "./countries.js";
import { Flag, Selected } from "./flag.jsx";
import { keyHandler } from "./list_keys.js";
import { withValues } from "./note.jsx";

const MIN_KEYBOARD_PIXELS = 120; // the collapsible bars of browsers are smaller

/** `chosen` is the selected country; `words` are the texts, `look` the options of appearance. */
export function CountryList({ countries, preferredCount, chosen, onChoose, onOpen, onClose, words, disabled, look, isTouch }) {
  const [box, button, menu] = [useRef(null), useRef(null), useRef(null)];
  const id = useId();
  const hasSearchBox = look.searchBox || isTouch;
  const list = useList({ countries, chosen, disabled, onChoose, onOpen, onClose, button, hasSearchBox });
  const { open, active, query, listed, show, hide } = list;
  const onKeyDown = keyHandler({ ...list, countries, button });
  const activeId = open && listed[active] ? `${id}-${listed[active].iso2}` : undefined;
  const combobox = comboboxProps({ listId: `${id}-list`, open, activeId, onKeyDown });
  const buttonProps = look.searchBox && !isTouch ? openerProps({ open, onKeyDown }) : combobox;
  useOpenMenu(open, isTouch, menu, button);
  useKeyboardFit(open && isTouch, menu);
  usePressOutside(open, box, hide);
  useScrollToActive({ activeId, open, active, query });

  // "Done" on a touch keyboard removes the focus; only a press elsewhere closes the list.
  const onBlur = ({ relatedTarget }) => {
    const isDone = isTouch && !relatedTarget;
    if (!isDone && !box.current.contains(relatedTarget)) {
      hide();
    }
  };
  return (
    <div className="phone-picker" ref={box} onBlur={onBlur}>
      <Button
        {...{ button, chosen, words, disabled, look, buttonProps }}
        onClick={() => (open ? hide({ focusesButton: true }) : show())}
      />
      {open && (
        <Menu
          menuRef={menu}
          search={hasSearchBox && { value: query, onChange: list.onSearch, autoFocus: !isTouch, ...combobox }}
          onPoint={list.setActive}
          onPick={list.choose}
          {...{ id, listed, chosen, active, words, look }}
          lastPreferred={query ? -1 : preferredCount - 1}
        />
      )}
    </div>
  );
}

/**
 * Returns the attributes of an element that handles the keys: the search box, or the button.
 * @returns {import("react").HTMLAttributes<HTMLElement>}
 */
const comboboxProps = ({ listId, open, activeId, onKeyDown }) => ({
  "role": "combobox",
  "aria-haspopup": "listbox",
  "aria-expanded": open,
  "aria-controls": open ? listId : undefined,
  "aria-activedescendant": activeId,
  onKeyDown,
});

// Returns the attributes of the button of a list whose search box handles the keys while it is open.
const openerProps = ({ open, onKeyDown }) => ({
  "aria-haspopup": "listbox",
  "aria-expanded": open,
  "onKeyDown": open ? undefined : onKeyDown,
});

// The closed selector, which opens the list. `buttonProps` make it a combobox, or the opener of one.
const Button = ({ button, chosen, words, disabled, look, onClick, buttonProps }) => {
  const value = chosen ? `${chosen.name} +${chosen.dialCode}` : words.noCountry;
  const label = withValues(words.labelled, { label: words.country, value });
  return (
    <button type="button" className="phone-button" ref={button} aria-label={label} {...{ disabled, onClick, ...buttonProps }}>
      <Selected country={chosen} look={look} />
    </button>
  );
};

// Returns what the list shows, and how it is changed: `active` is the index of the active option, `typed` a ref for type-ahead.
const useList = ({ countries, chosen, disabled, onChoose, onOpen, onClose, button, hasSearchBox }) => {
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [query, setQuery] = useState("");
  const isOpen = useRef(false); // separate from `open`, because closing also blurs within the same render
  const typed = useRef({ text: "", at: 0 });
  const listed = open && hasSearchBox ? search(countries, query) : countries;

  const show = (start) => {
    if (disabled) {
      return;
    }
    if (!isOpen.current) {
      isOpen.current = true;
      typed.current = { text: "", at: 0 };
      setQuery("");
      setOpen(true);
      onOpen?.();
    }
    setActive(start ?? Math.max(countries.indexOf(chosen), 0));
  };
  const hide = ({ focusesButton = false } = {}) => {
    if (!isOpen.current) {
      return;
    }
    isOpen.current = false;
    setOpen(false);
    onClose?.();
    if (focusesButton) {
      button.current.focus();
    }
  };
  const choose = (country, { keepsFocus = false } = {}) => {
    hide();
    if (country) {
      onChoose(country, { keepsFocus });
    }
  };
  const onSearch = ({ target }) => {
    setQuery(target.value);
    setActive(0);
  };
  return { open, active, query, typed, listed, show, hide, choose, setActive, setQuery, onSearch };
};

// The open list, below its search box; `lastPreferred` is the index of the last preferred country, -1 for none.
const Menu = ({ menuRef, search: searchProps, id, listed, chosen, active, lastPreferred, onPoint, onPick, words, look }) => (
  <div className={`phone-menu ${look.menuClass ?? ""}`} ref={menuRef} popover="manual">
    {searchProps && (
      <input
        className="phone-search"
        type="text"
        autoComplete="off"
        spellCheck={false}
        aria-label={words.search}
        aria-autocomplete="list"
        placeholder={look.searchPlaceholder || words.search}
        {...searchProps}
      />
    )}
    <ul className="phone-list" hidden={!listed.length} role="listbox" id={`${id}-list`} aria-label={words.list}>
      {listed.map((country, index) => (
        <Option
          key={country.iso2}
          id={`${id}-${country.iso2}`}
          country={country}
          look={look}
          selected={country === chosen}
          active={index === active}
          lastPreferred={index === lastPreferred}
          onPoint={() => onPoint(index)}
          onPick={() => onPick(country)}
        />
      ))}
    </ul>
    <p className="phone-none" role="status">
      {!listed.length && words.noMatch}
    </p>
  </div>
);

// Shows the menu once it is rendered, and focuses the element that handles the keys.
const useOpenMenu = (open, isTouch, menu, button) => {
  const openMenu = useEffectEvent(() => {
    menu.current.showPopover?.(); // in the top layer; phone_input.css positions it
    const searchBox = menu.current.querySelector(".phone-search");
    (isTouch || !searchBox ? button.current : searchBox).focus(); // a touch keyboard would cover the list; Safari does not focus pressed buttons
  });
  useLayoutEffect(() => {
    if (open) {
      openMenu(); // once: a popover that is open cannot be opened again
    }
  }, [open]);
};

// Scrolls to the active option when it changes, or its place in the list.
const useScrollToActive = ({ activeId, open, active, query }) => {
  const scroll = useEffectEvent(() => activeId && document.getElementById(activeId)?.scrollIntoView({ block: "nearest" }));
  useLayoutEffect(() => {
    scroll();
  }, [open, active, query]);
};

// A touch keyboard covers the page: while it is shown, the list fits into the remaining part of the screen.
const useKeyboardFit = (isActive, menu) => {
  useEffect(() => {
    const { visualViewport: view } = window;
    if (!isActive || !view) {
      return;
    }
    const fitToScreen = () => {
      menu.current.toggleAttribute("data-beside-keyboard", innerHeight - view.height * view.scale > MIN_KEYBOARD_PIXELS);
      menu.current.style.setProperty("--phone-view-top", `${view.offsetTop}px`);
      menu.current.style.setProperty("--phone-view-height", `${view.height}px`);
    };
    const listening = new AbortController();
    const { signal } = listening;
    for (const type of ["resize", "scroll"]) {
      view.addEventListener(type, fitToScreen, { signal });
    }
    return () => listening.abort();
  }, [isActive, menu]);
};

const usePressOutside = (open, box, onPress) => {
  const reportIfOutside = useEffectEvent(({ target }) => !box.current.contains(target) && onPress());
  useEffect(() => {
    if (!open) {
      return;
    }
    const onPointerDown = (event) => reportIfOutside(event);
    document.addEventListener("pointerdown", onPointerDown, true);
    return () => document.removeEventListener("pointerdown", onPointerDown, true);
  }, [open]);
};

const Option = ({ id, country, look, selected, active, lastPreferred, onPoint, onPick }) => (
  <li
    id={id}
    role="option"
    aria-selected={selected}
    className="phone-option"
    data-active={active || undefined}
    data-last-preferred={lastPreferred || undefined}
    onPointerMove={({ pointerType }) => pointerType !== "touch" && onPoint()} // a touch scrolls instead
    onPointerDown={(event) => event.preventDefault()} // keeps the focus on the element that handles the keys
    onClick={onPick}
  >
    {look.flags && <Flag iso2={country.iso2} />}
    <span className="phone-name">{country.name}</span>
    {look.dialCodeInList && <span className="phone-code">+{country.dialCode}</span>}
  </li>
);
