// The box of one message: its markup, its time, its focus and its place. It is a popover, so that nothing clips it.
import { ICONS } from "$/build_parts/messages";
import { avoidCovering } from "$/components/messages/message_position";

const ANNOUNCE_DELAY_MS = 50; // a live region must exist before its text is added

const icon = (name) =>
  `<svg viewBox="0 0 24 24" width="24" height="24" class="a-icon" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

const buttonsOf = ({ action, cancel }) => [action, cancel].filter(Boolean);

// Returns the box without its text, which announce adds.
const createBox = (message, words) => {
  const { type, lang, waits, dismissLabel } = message;
  const className = `snackbar snackbar-${type}${waits ? " snackbar-offer" : ""}`;
  const box = Object.assign(document.createElement("aside"), { className, popover: "manual", ...(lang && { lang }) });
  box.innerHTML =
    `${icon(type)}<div role="${type === "error" ? "alert" : "status"}" class="snackbar-text"></div>` +
    "<button type=\"button\" class=\"snackbar-action\"></button>".repeat(buttonsOf(message).length) +
    `<button type="button" class="icon-button">${icon("close")}</button>`;
  box.querySelector(".icon-button").setAttribute("aria-label", dismissLabel ?? words.dismiss);
  for (const [index, { label }] of buttonsOf(message).entries()) {
    box.querySelectorAll(".snackbar-action")[index].textContent = label ?? words.again;
  }
  return box;
};

// Adds the text, which screen readers then read out.
const announce = (box, { type, text, content }, words) => {
  const liveRegion = box.querySelector("div");
  liveRegion.innerHTML = `<p><span class="sr-only"></span></p>${content ? "<p class=\"snackbar-content\"></p>" : ""}`;
  liveRegion.querySelector("span").textContent = words[type];
  liveRegion.firstChild.append(text);
  if (content) {
    liveRegion.lastChild.textContent = content;
  }
};

// Calls `expire` after the timeout, but not while the box has the pointer or the focus; with 0 never. Returns a function that stops the time.
const startTimer = (box, timeout, expire) => {
  let timer;
  const stop = () => clearTimeout(timer);
  const start = () => {
    stop();
    if (timeout) {
      timer = setTimeout(expire, timeout);
    }
  };
  box.addEventListener("focusin", stop);
  box.addEventListener("pointerenter", stop);
  box.addEventListener("focusout", start);
  box.addEventListener("pointerleave", start);
  start();
  return stop;
};

// Returns a function that runs `remove`, and then returns the focus, if the box has it, to the element that had it before.
const trackFocus = (box) => {
  let cameFrom = null;
  box.addEventListener("focusin", ({ relatedTarget }) => {
    if (relatedTarget && !box.contains(/** @type {Node} */ (relatedTarget))) {
      cameFrom = relatedTarget;
    }
  });
  return (remove) => {
    const hadFocus = box.contains(document.activeElement);
    remove();
    if (hadFocus && cameFrom?.isConnected) {
      cameFrom.focus();
    }
  };
};

// Ends the message on its buttons and on Escape; `end` gets what then is to be called.
const handlePresses = (box, message, end) => {
  const dismiss = () => end(message.onDismiss);
  box.querySelector(".icon-button").addEventListener("click", dismiss);
  for (const [index, { run }] of buttonsOf(message).entries()) {
    box.querySelectorAll(".snackbar-action")[index].addEventListener("click", () => end(run));
  }
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") {
      return;
    }
    event.preventDefault(); // keeps the surrounding dialog open
    event.stopPropagation();
    dismiss();
  });
};

/**
 * Returns { message, box, remove, reposition } for a message that is about to be shown. `words` are the texts of its language; `leave` is called
 * when the visitor or the time dismisses it, and must remove it.
 */
export const createMessage = (message, words, leave) => {
  const box = createBox(message, words);
  const returnFocusAfter = trackFocus(box);
  const end = (callback) => {
    returnFocusAfter(leave);
    callback?.();
  };
  handlePresses(box, message, end);
  const stopTimer = startTimer(box, message.timeout, () => end(message.onExpire));

  // While it has the pointer or the focus it does not move: a press that ends beside the button would be lost.
  const reposition = () => box.matches(":hover, :focus-within") || avoidCovering(box);
  addEventListener("focusin", reposition);
  visualViewport?.addEventListener("resize", reposition);
  const announcement = setTimeout(() => {
    announce(box, message, words);
    reposition();
  }, ANNOUNCE_DELAY_MS);

  const remove = () => {
    clearTimeout(announcement);
    stopTimer();
    removeEventListener("focusin", reposition);
    visualViewport?.removeEventListener("resize", reposition);
    box.remove();
  };
  return { message, box, remove, reposition };
};
