// One short message at a time, from a state or from a script alone:
// say({ type, text, content, timeout, action: { label, run }, lang, waits, dismissLabel, onDismiss }); `waits` lets all others, and an open dialog, go first.
// It stays while it is looked at, keeps out of the way of the field being filled in, and stands inside an open dialog,
// because everything else is inert then.
import { createElement, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

const TIMEOUTS = { success: 6000, info: 6000, warning: 12000, error: 0 }; // milliseconds; 0 stays
const ANNOUNCE_DELAY = 50; // a live region must be there before its words

export const say = (message) => dispatchEvent(new CustomEvent("snackbar", { detail: message }));
export const unsay = (text) => dispatchEvent(new CustomEvent("snackbar-unsay", { detail: text })); // it is no longer so

export const Snackbar = ({ show, type, text, timeout, content, showActionButton, action, serial, onDismiss, words, icons }) => {
  const [queue, setQueue] = useState([]), styled = useWholeStyle(queue.length > 0);
  const dismissed = useRef(onDismiss);
  dismissed.current = onDismiss;

  const add = (message) => {
    setQueue((waiting) => [...waiting.filter((one) => one.text !== message.text || one.type !== message.type), message]);
  };
  const remove = (message) => setQueue((waiting) => waiting.filter((one) => one !== message));

  useEffect(() => {
    const hear = ({ detail }) => add({ timeout: TIMEOUTS[detail.type], ...detail });
    const forget = ({ detail }) => setQueue((waiting) => waiting.filter((one) => one.text !== detail));
    addEventListener("snackbar", hear);
    addEventListener("snackbar-unsay", forget);
    return () => {
      removeEventListener("snackbar", hear);
      removeEventListener("snackbar-unsay", forget);
    };
  }, []);
  const place = useModal();
  useEffect(() => {
    if (!show) return setQueue((waiting) => waiting.filter((one) => one.serial === undefined));
    const run = () => dispatchEvent(new CustomEvent("snackbar-action", { detail: { action } }));
    add({ serial, type, text, timeout, content, action: showActionButton ? { run } : undefined });
  }, [show, serial]);

  // what can wait does not come between a visitor and an open dialog either
  const current = queue.find((one) => !one.waits) ?? (place?.localName === "dialog" ? undefined : queue[0]);
  if (!current || !styled) return null;
  const close = () => {
    remove(current);
    if (current.serial !== undefined) dismissed.current(current.serial);
    current.onDismiss?.();
  };
  return createElement(Message, { key: current.serial ?? `${current.type} ${current.text}`, message: current, close, words, icons });
};

// A page has no style of its own for what comes unasked.
const useWholeStyle = (needed) => {
  const [styled, setStyled] = useState(false);
  useEffect(() => {
    if (needed) Promise.resolve(window.wholeStyle?.()).then(() => setStyled(true)); // the boot script's
  }, [needed]);
  return styled;
};

const Message = ({ message, close, words, icons }) => {
  const { type, text, content, action, timeout, lang } = message;
  const box = useRef(null), cameFrom = useRef(null);
  const place = useModal(), [spoken, setSpoken] = useState(false), [high, setHigh] = useState(false);
  const pause = usePause(timeout, close);

  useEffect(() => {
    const timer = setTimeout(() => setSpoken(true), ANNOUNCE_DELAY);
    return () => clearTimeout(timer);
  }, []);
  useLayoutEffect(() => keepClear(box.current, setHigh), [place, spoken]);

  const leave = (after) => () => {
    const within = box.current.contains(document.activeElement);
    close();
    if (within && cameFrom.current?.isConnected) cameFrom.current.focus();
    after?.();
  };
  const focused = ({ relatedTarget }) => {
    if (relatedTarget && !box.current.contains(relatedTarget)) cameFrom.current = relatedTarget;
    pause.hold();
  };
  const key = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault(); // the dialog around it stays open
    event.stopPropagation();
    leave()();
  };
  const button = (label, run, className) => createElement("button", { type: "button", className, onClick: run }, label);
  const icon = (name) =>
    createElement("svg", { viewBox: "0 0 24 24", width: 24, height: 24, className: "a-icon", "aria-hidden": true }, createElement("path", { d: icons[name] }));

  const body = createElement("div",
    { ref: box, lang, className: `snackbar snackbar-${type}${high ? " snackbar-high" : ""}`, onKeyDown: key,
      onPointerEnter: pause.hold, onPointerLeave: pause.resume, onFocus: focused, onBlur: pause.resume },
    icon(type),
    createElement("div", { role: type === "error" ? "alert" : "status", className: "snackbar-text" },
      spoken && createElement("p", null, createElement("span", { className: "sr-only" }, words[type]), text),
      spoken && content && createElement("p", { className: "snackbar-content" }, content)),
    action && button(action.label ?? words.again, leave(action.run), "snackbar-action"),
    createElement("button", { type: "button", className: "icon-button", "aria-label": message.dismissLabel ?? words.dismiss, onClick: leave() }, icon("close")));
  return createPortal(body, place);
};

// Where the message stands: the open modal dialog, else the body.
const useModal = () => {
  const find = () => typeof document === "undefined" ? null : (document.querySelector("dialog[open]") ?? document.body);
  const [place, setPlace] = useState(find);
  useEffect(() => {
    const observer = new MutationObserver(() => setPlace(find()));
    observer.observe(document.body, { subtree: true, attributeFilter: ["open"] });
    return () => observer.disconnect();
  }, []);
  return place;
};

// Counts down to `done`, but not while it is held; 0 never ends.
const usePause = (timeout, done) => {
  const clock = useRef({ left: timeout }), finish = useRef(done);
  finish.current = done;
  const hold = () => {
    if (!clock.current.timer) return;
    clearTimeout(clock.current.timer);
    clock.current = { left: clock.current.left - (Date.now() - clock.current.since) };
  };
  const resume = () => {
    if (!timeout || clock.current.timer) return;
    const timer = setTimeout(() => finish.current(), Math.max(clock.current.left, 0));
    clock.current = { ...clock.current, timer, since: Date.now() };
  };
  useEffect(() => {
    resume();
    return hold;
  }, []);
  return { hold, resume };
};

// Calls `set` with whether the message must move to the top to leave the focused element free.
const keepClear = (box, set) => {
  const look = () => {
    const field = document.activeElement;
    if (!field || field === document.body || box.contains(field)) return;
    const { bottom, right, left } = field.getBoundingClientRect(), { width, height } = box.getBoundingClientRect();
    const edge = visualViewport?.height ?? innerHeight, mine = box.getBoundingClientRect();
    const beside = right < mine.left || left > mine.left + width;
    set(!beside && bottom > edge - height - 32 && bottom - edge < height);
  };
  look();
  addEventListener("focusin", look);
  visualViewport?.addEventListener("resize", look);
  return () => {
    removeEventListener("focusin", look);
    visualViewport?.removeEventListener("resize", look);
  };
};
