// Shows one short message at a time, the newest: message_box.js makes it. It is placed inside an open dialog, because everything else is
// inert then.
import { MESSAGES, TIMEOUTS_MS } from "$/build_parts/messages";
import { localeOf } from "$/components/browser/locale";
import { createMessage } from "$/components/messages/message_box";
import { HYDRATED } from "$/static_first/events";
import { wholeStyle } from "$/static_first/style";

const REFUSED_KEY = "offer:refused";

const words = () => MESSAGES[localeOf(location.pathname)];
let queue = []; // the newest last; of the older ones only those that stay until dismissed
let current = null; // the visible message: see createMessage

/** Queues a message; the newest is shown. */
export const show = (options) => {
  const message = { timeout: TIMEOUTS_MS[options.type], text: words()[options.word], ...options };
  // A success removes earlier errors, which are then resolved; every new message removes those with a timeout.
  const isKept = (queued) =>
    queued.text !== message.text && (queued.waits || (queued.timeout === 0 && message.type !== "success"));
  const removed = queue.filter((queued) => !isKept(queued));
  queue = [...queue.filter(isKept), message];
  wholeStyle().then(update);
  for (const { onExpire } of removed) {
    onExpire?.();
  }
};
/** Removes messages with this text. */
export const hide = (text) => {
  queue = queue.filter((queued) => queued.text !== text);
  update();
};

/** Says that the requested page was not found. */
export const showNotFound = () => show({ type: "warning", text: words().notFound, timeout: 0 }); // nothing else says why another page is shown
/** Offers the page in another language, unless the visitor has refused this before. */
export const offerLanguage = (id) => {
  if (isRefused()) {
    return;
  }
  const { tag, text, accept, dismiss } = MESSAGES[id].offer;
  const dontRepeat = () => sessionStorage.setItem(REFUSED_KEY, "1");
  const accepted = () => {
    dontRepeat();
    document.querySelector(`a[data-language=${id}]`).click();
  };
  show({
    type: "info",
    lang: tag,
    text,
    timeout: 0,
    waits: true,
    action: { label: accept, run: accepted },
    dismissLabel: dismiss,
    onDismiss: dontRepeat,
  });
};
const isRefused = () => {
  try {
    return sessionStorage.getItem(REFUSED_KEY);
  } catch {
    return true; // the visitor's refusal could not be stored
  }
};

// Before React has hydrated the page, the markup of its dialogs must not change.
const messageContainer = () => document.querySelector("dialog[open]") ?? document.body;
const canContain = (container) => container === document.body || window.hydratedAt;

const removeFromQueue = (message) => {
  queue = queue.filter((queued) => queued !== message);
  update();
};

const update = () => {
  const container = messageContainer();
  const urgent = queue.filter((queued) => !queued.waits);
  // a message that can wait is not shown while a dialog is open either
  const next = urgent.at(-1) ?? (container === document.body ? queue.at(-1) : undefined);
  if (current && current.message !== next) {
    current.remove();
    current = null;
  }
  if (!next || !canContain(container)) {
    return;
  }
  current ??= createMessage(next, words(), () => removeFromQueue(next));
  if (current.box.parentNode === container) {
    return;
  }
  const focused = current.box.contains(document.activeElement) && /** @type {HTMLElement} */ (document.activeElement);
  container.append(current.box);
  current.box.showPopover?.(); // moving a popover closes it
  if (focused) {
    focused.focus();
  }
  current.reposition();
};

// Moves the message when a dialog opens or closes.
new MutationObserver(update).observe(document.body, { subtree: true, attributeFilter: ["open"] });
addEventListener(HYDRATED, update);
