// Stands for @emotion/react while pages are written as HTML: an element that has handlers says for which events, and the page's script
// keeps these events until React is there. In the browser nothing of this runs; React leaves the attribute alone.
import * as emotion from "@emotion/react";

export * from "@emotion/react";

const DOM_NAMES = { doubleclick: "dblclick" };

const handled = (props) =>
  Object.keys(props)
    .filter((name) => /^on[A-Z]/.test(name) && props[name])
    .map((name) => name.slice(2).toLowerCase())
    .map((name) => DOM_NAMES[name] ?? name);

const marked = (props) => {
  const events = props ? handled(props) : [];
  return events.length ? { "data-react": events.join(" "), ...props } : props;
};

export const jsx = (type, props, ...children) => emotion.jsx(type, marked(props), ...children);
