// The keys of the list of countries, by the ARIA pattern of a combobox, with type-ahead.
import { typeAhead } from "./countries.js";

const TYPE_AHEAD_PAUSE_MS = 700; // after which type-ahead starts a new word
const PAGE_OPTIONS = 8; // that Page Up and Page Down move
const ENDS_COMPOSITION = 229; // the key code of Safari's Enter that ends an input method's composition, when isComposing is already false

/** Returns the handler of keys for what the list shows; `typed` and `button` are refs. It changes the list only by the given actions. */
export function keyHandler({ open, active, countries, listed, typed, button }, { show, hide, choose, setActive, setQuery }) {
  const typeLetter = (key, time) => {
    const isNewWord = time - typed.current.at > TYPE_AHEAD_PAUSE_MS;
    typed.current = { text: (isNewWord ? "" : typed.current.text) + key, at: time };
    setQuery(""); // type-ahead searches the whole list
    const match = typeAhead(countries, typed.current.text, isNewWord && !open ? -1 : active);
    show(match < 0 ? (open ? active : undefined) : match);
  };

  const last = listed.length - 1;
  const targets = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + PAGE_OPTIONS,
    PageUp: active - PAGE_OPTIONS,
    Home: 0,
    End: last,
  };
  // Handles a key of the closed list; returns false if the key means nothing there.
  const pressOnButton = (key) => {
    if (key in targets) {
      show({ Home: 0, End: last }[key]);
    } else if (key === "Enter" || key === " ") {
      show();
    } else {
      return false;
    }
    return true;
  };
  // Handles a key of the open list; returns false if the key means nothing there.
  const pressInList = (event) => {
    const { key } = event;
    const isTyping = typed.current.text && performance.now() - typed.current.at <= TYPE_AHEAD_PAUSE_MS;
    if (key === "Escape") {
      event.stopPropagation();
      hide(true);
    } else if (event.altKey && key === "ArrowUp") {
      choose(listed[active]);
    } else if (key in targets) {
      setActive(Math.min(Math.max(targets[key], 0), last));
    } else if (key === "Enter" || (key === " " && !isTyping)) {
      if (listed[active]) {
        choose(listed[active]);
      }
    } else {
      return false;
    }
    return true;
  };
  return (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isInSearchBox = event.target !== button.current;
    if (event.nativeEvent.isComposing || event.keyCode === ENDS_COMPOSITION) {
      return;
    }
    if (key === "Tab") {
      return open && choose(isInSearchBox ? null : listed[active], true);
    }
    const editsSearch = isInSearchBox && ["Home", "End", " "].includes(key);
    if (editsSearch || ctrlKey || metaKey || (altKey && !key.startsWith("Arrow"))) {
      return;
    }
    if (open ? pressInList(event) : pressOnButton(key)) {
      event.preventDefault();
    } else if (key.length === 1 && !isInSearchBox) {
      typeLetter(key, performance.now());
      event.preventDefault();
    }
  };
}
