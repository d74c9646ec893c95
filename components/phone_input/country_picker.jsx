// Chooses the country: a combobox with a list we draw, or on touch the device's own select.
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { search, typeAhead } from "./countries.js";
import { Flag, Selected } from "./flag.jsx";

const RESET = 700; // milliseconds after which typing in the list begins a new word
const ROOM = 200; // pixels below the field that let the list open downwards
const TALLEST = 360, WIDEST = 390, MARGIN = 8, PAGE = 8;

export function CountryPicker(props) {
  const Picker = useCoarsePointer() ? NativePicker : ListPicker;
  return <Picker {...props} />;
}

function useCoarsePointer() {
  const [coarse, setCoarse] = useState(() => matchMedia("(pointer: coarse)").matches);
  useEffect(() => {
    const query = matchMedia("(pointer: coarse)");
    const look = () => setCoarse(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return coarse;
}

function NativePicker({ countries, preferredCount, chosen, onChoose, words, disabled, tabIndex, look }) {
  const option = ({ iso2, name, dialCode }) => (
    <option key={iso2} value={iso2}>{look.dialCodeInList ? `${name} (+${dialCode})` : name}</option>
  );
  return (
    <span className="phone-picker">
      <Selected country={chosen} look={look} />
      <select
        className="phone-native"
        aria-label={words.country}
        value={chosen?.iso2 ?? ""}
        disabled={disabled}
        tabIndex={tabIndex}
        onChange={(event) => onChoose(countries.find(({ iso2 }) => iso2 === event.target.value))}
      >
        {!chosen && <option value="" disabled>{words.noCountry}</option>}
        {countries.slice(0, preferredCount).map(option)}
        {preferredCount > 0 && preferredCount < countries.length && <hr />}
        {countries.slice(preferredCount).map(option)}
      </select>
    </span>
  );
}

function ListPicker({ countries, preferredCount, chosen, onChoose, onOpen, onClose, anchor, words, disabled, tabIndex, look }) {
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [query, setQuery] = useState("");
  const [box, button, menu] = [useRef(null), useRef(null), useRef(null)];
  const isOpen = useRef(false); // told apart from `open` because closing also blurs, within the same render
  const typed = useRef({ text: "", at: 0 });
  const id = useId();
  const shown = open && look.searchBox ? search(countries, query) : countries;

  const show = (start) => {
    if (disabled) return;
    if (!isOpen.current) {
      isOpen.current = true;
      typed.current = { text: "", at: 0 };
      setQuery("");
      setOpen(true);
      onOpen?.();
    }
    setActive(start ?? Math.max(countries.indexOf(chosen), 0));
  };
  const hide = (refocus) => {
    if (!isOpen.current) return;
    isOpen.current = false;
    setOpen(false);
    onClose?.();
    if (refocus) button.current.focus();
  };
  const choose = (country, stay) => {
    hide(false);
    if (country) onChoose(country, stay);
  };

  const letter = (key, time) => {
    const fresh = time - typed.current.at > RESET;
    typed.current = { text: (fresh ? "" : typed.current.text) + key, at: time };
    const found = typeAhead(countries, typed.current.text, fresh && !open ? -1 : active);
    show(found < 0 ? (open ? active : undefined) : found);
  };
  const keyDown = (event) => {
    const { key } = event, last = shown.length - 1, typing = look.searchBox && open;
    const midWord = key === " " && !typing && open && typed.current.text && performance.now() - typed.current.at <= RESET;
    const moves = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + PAGE, PageUp: active - PAGE, Home: 0, End: last };
    if (event.isComposing || event.nativeEvent.isComposing) return;
    if (key === "Tab") return open && choose(typing ? null : shown[active], true);
    if (typing && (key === "Home" || key === "End" || key === " ")) return; // the search text's own
    if (event.ctrlKey || event.metaKey || (event.altKey && !key.startsWith("Arrow"))) return;
    if (key === "Escape") {
      if (!open) return;
      event.stopPropagation();
      hide(true);
    } else if (event.altKey && key === "ArrowUp" && open) choose(shown[active]);
    else if (key in moves) {
      if (open) setActive(Math.min(Math.max(moves[key], 0), last));
      else show(key === "Home" ? 0 : key === "End" ? last : undefined);
    } else if ((key === "Enter" || key === " ") && !midWord) {
      if (open) choose(shown[active]);
      else show();
    } else if (key.length === 1 && !typing) letter(key, performance.now());
    else return;
    event.preventDefault();
  };

  usePlace(open, menu, anchor);
  useEffect(() => {
    if (!open) return;
    const outside = (event) => !box.current.contains(event.target) && hide(false);
    document.addEventListener("pointerdown", outside, true);
    return () => document.removeEventListener("pointerdown", outside, true);
  });
  useLayoutEffect(() => {
    if (open) document.getElementById(`${id}-${shown[active]?.iso2}`)?.scrollIntoView({ block: "nearest" });
  }, [open, active, query]);

  const combobox = {
    role: "combobox",
    "aria-haspopup": "listbox",
    "aria-expanded": open,
    "aria-controls": open ? `${id}-list` : undefined,
    "aria-activedescendant": open && shown[active] ? `${id}-${shown[active].iso2}` : undefined,
    onKeyDown: keyDown,
  };
  const left = (event) => !box.current.contains(event.relatedTarget) && hide(false);
  const label = chosen ? `${words.country}: ${chosen.name} +${chosen.dialCode}` : `${words.country}: ${words.noCountry}`;
  return (
    <div className="phone-picker" ref={box} onBlur={left}>
      <button
        type="button"
        className="phone-button"
        ref={button}
        disabled={disabled}
        tabIndex={tabIndex}
        aria-label={label}
        onClick={() => (open ? hide(true) : show())}
        {...(look.searchBox ? { "aria-haspopup": "listbox", "aria-expanded": open, onKeyDown: open ? undefined : keyDown } : combobox)}
      >
        <Selected country={chosen} look={look} />
      </button>
      {open && (
        <div className={`phone-menu ${look.menuClass ?? ""}`} ref={menu} popover="manual">
          {look.searchBox && (
            <input
              className="phone-search"
              type="text"
              autoFocus
              autoComplete="off"
              spellCheck={false}
              aria-label={words.search}
              aria-autocomplete="list"
              placeholder={look.searchPlaceholder}
              value={query}
              onChange={(event) => (setQuery(event.target.value), setActive(0))}
              {...combobox}
            />
          )}
          <ul className="phone-list" role="listbox" id={`${id}-list`} aria-label={words.list}>
            {shown.map((country, index) => (
              <li
                key={country.iso2}
                id={`${id}-${country.iso2}`}
                role="option"
                aria-selected={country === chosen}
                className="phone-option"
                data-active={index === active || undefined}
                data-last-preferred={(!query && index === preferredCount - 1) || undefined}
                onPointerMove={() => setActive(index)}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(country)}
              >
                {look.flags && <Flag iso2={country.iso2} url={look.flagUrl} />}
                <span className="phone-name">{country.name}</span>
                {look.dialCodeInList && <span className="phone-code">+{country.dialCode}</span>}
              </li>
            ))}
          </ul>
          {!shown.length && <p className="phone-none" role="status">{words.noMatch}</p>}
        </div>
      )}
    </div>
  );
}

// Puts the open list over everything, down if there is room below, else up, never beyond the viewport.
function usePlace(open, menu, anchor) {
  useLayoutEffect(() => {
    if (!open) return;
    const element = menu.current, { style } = element;
    element.showPopover?.();
    element.querySelector(".phone-search")?.focus();
    const place = () => {
      const field = anchor.current.getBoundingClientRect(), { clientWidth, clientHeight } = document.documentElement;
      const below = clientHeight - field.bottom, down = below >= ROOM;
      const room = Math.max((down ? below : field.top) - MARGIN, 120);
      const width = Math.min(Math.max(field.width, 280), WIDEST, clientWidth - 2 * MARGIN);
      style.width = `${width}px`;
      style.maxHeight = `${Math.min(room, TALLEST)}px`;
      style.left = `${Math.min(Math.max(field.left, MARGIN), clientWidth - width - MARGIN)}px`;
      style.top = down ? `${field.bottom + 4}px` : "auto";
      style.bottom = down ? "auto" : `${clientHeight - field.top + 4}px`;
      element.dataset.direction = down ? "down" : "up";
    };
    place();
    addEventListener("resize", place);
    addEventListener("scroll", place, true);
    return () => {
      removeEventListener("resize", place);
      removeEventListener("scroll", place, true);
    };
  }, [open]);
}
