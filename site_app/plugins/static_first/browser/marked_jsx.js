// Replaces @emotion/react while pages are rendered to HTML: lists the events of an element's handlers in an attribute, and the page's script
// stores these events until React runs. A field that shows a state has "value" in its list, too, for typed_text.js, and one whose changes
// wait for a pause "debounced", for replay.js. In the browser this module is not used; React leaves the attribute as it is.
import * as emotion from "@emotion/react";

export * from "@emotion/react";

// The events of which React makes those of some handlers.
const SOURCES = {
  doubleclick: ["dblclick"],
  focus: ["focusin"],
  blur: ["focusout"],
  input: ["change"],
  pointerenter: ["pointerover", "pointerout"],
  pointerleave: ["pointerout"],
  mouseenter: ["mouseover", "mouseout"],
  mouseleave: ["mouseout"],
};
const UNREPEATABLE = /^(paste|drag|drop)/; // the copy of such an event has no content

const handlerEvents = (props) =>
  Object.keys(props)
    .filter((name) => /^on[A-Z]/.test(name) && props[name])
    .map((name) => name.slice(2).toLowerCase())
    .filter((name) => !UNREPEATABLE.test(name))
    .flatMap((name) => SOURCES[name] ?? [name]);

const showsState = ({ value, onChange, type }) => value !== undefined && onChange && type !== "checkbox" && type !== "radio";

const withEventNames = (props) => {
  const events = [...(props?.["data-react"]?.split(" ") ?? []), ...(props ? handlerEvents(props) : [])];
  if (props && showsState(props)) {
    events.push("value");
  }
  if (props?.debounceTimeout) {
    events.push("debounced");
  }
  return events.length ? { ...props, "data-react": [...new Set(events)].join(" ") } : props;
};

/** Creates an element like Emotion's jsx, with the names of its events in data-react. */
export const jsx = (type, props, ...children) => emotion.jsx(type, withEventNames(props), ...children);
