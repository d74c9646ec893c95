// The keys of the list of countries, by the ARIA pattern of a combobox, with type-ahead.
import { typeAhead } from "./countries.js";

const TYPE_AHEAD_PAUSE_MS = 700; // after which type-ahead starts a new word
const PAGE_OPTIONS = 8; // that Page Up and Page Down move
const ENDS_COMPOSITION = 229; // the key code of Safari's Enter that ends an input method's composition, when isComposing is already false

/** Returns the handler of keys. `list` is the result of useList, with all `countries` and the ref `button`. */
export const keyHandler = (list) => (event) => {
  const { key } = event;
  const isInSearchBox = event.target !== list.button.current;
  if (event.nativeEvent.isComposing || event.keyCode === ENDS_COMPOSITION) {
    return;
  }
  if (key === "Tab") {
    return list.open && list.choose(isInSearchBox ? null : list.listed[list.active], { keepsFocus: true });
  }
  if (isForBrowser(event, isInSearchBox)) {
    return;
  }
  const act = list.open ? actionInList(event, list) : actionOnButton(key, list);
  const isTyped = key.length === 1 && !isInSearchBox;
  if (act) {
    event.preventDefault();
    act();
  } else if (isTyped) {
    event.preventDefault();
    typeLetter(key, list);
  }
};

// Returns true for shortcuts of the browser, and for keys that edit the text in the search box.
const isForBrowser = ({ key, ctrlKey, metaKey, altKey }, isInSearchBox) => {
  const editsSearch = isInSearchBox && ["Home", "End", " "].includes(key);
  return editsSearch || ctrlKey || metaKey || (altKey && !key.startsWith("Arrow"));
};

// Returns the index to which a key moves in the open list; undefined for other keys.
const targetOf = (key, { active, listed }) =>
  ({
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + PAGE_OPTIONS,
    PageUp: active - PAGE_OPTIONS,
    Home: 0,
    End: listed.length - 1,
  })[key];

// Returns what a key does to the closed list; undefined if it means nothing there.
const actionOnButton = (key, list) => {
  if (key === "Enter" || key === " ") {
    return () => list.show();
  }
  if (targetOf(key, list) === undefined) {
    return undefined;
  }
  const isEdge = key === "Home" || key === "End";
  return () => list.show(isEdge ? targetOf(key, list) : undefined);
};

// Returns what a key does to the open list; undefined if it means nothing there.
const actionInList = (event, list) => {
  const { key } = event;
  const target = targetOf(key, list);
  const activeCountry = list.listed[list.active];
  if (key === "Escape") {
    return () => {
      event.stopPropagation();
      list.hide({ focusesButton: true });
    };
  }
  if (event.altKey && key === "ArrowUp") {
    return () => list.choose(activeCountry);
  }
  if (target !== undefined) {
    return () => list.setActive(Math.min(Math.max(target, 0), list.listed.length - 1));
  }
  if (key === "Enter" || (key === " " && !isTypingAhead(list.typed))) {
    return () => activeCountry && list.choose(activeCountry);
  }
  return undefined;
};

// Returns true while a space belongs to the name that the visitor types.
const isTypingAhead = ({ current }) => current.text && performance.now() - current.at <= TYPE_AHEAD_PAUSE_MS;

// Adds a letter to what is typed ahead, and goes to the country that it means.
const typeLetter = (key, { open, active, countries, typed, show, setQuery }) => {
  const time = performance.now();
  const isNewWord = time - typed.current.at > TYPE_AHEAD_PAUSE_MS;
  typed.current = { text: (isNewWord ? "" : typed.current.text) + key, at: time };
  setQuery(""); // type-ahead searches the whole list
  const match = typeAhead(countries, typed.current.text, isNewWord && !open ? -1 : active);
  const unchanged = open ? active : undefined;
  show(match < 0 ? unchanged : match);
};
