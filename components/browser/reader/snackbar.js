// Shows one short message at a time, the newest. It is a popover, so that nothing clips it, and is placed inside an open dialog, because
// everything else is inert then. It stays while it has the pointer or the focus, and covers what one wants to press or read as
// little as it can.
import { ICONS, MESSAGES, TIMEOUTS_MS } from "$/build_parts/messages";
import { localeOf } from "$/components/browser/locale";
import { HYDRATED } from "$/static_first/events";
import { wholeStyle } from "$/static_first/style";

const ANNOUNCE_DELAY_MS = 50; // a live region must exist before its text is added
const REFUSED_KEY = "offer:refused";

const words = () => MESSAGES[localeOf(location.pathname)];
let queue = []; // the newest last; of the older ones only those that stay until dismissed
let current = null; // the visible message: { message, box, remove, reposition }

/** Queues a message; the newest is shown. */
export const show = (options) => {
  const message = { timeout: TIMEOUTS_MS[options.type], ...options };
  // A success removes earlier errors, which are then resolved; every new message removes those with a timeout.
  const isKept = (queued) =>
    queued.text !== message.text && (queued.waits || (queued.timeout === 0 && message.type !== "success"));
  queue = [...queue.filter(isKept), message];
  wholeStyle().then(update);
};
/** Removes messages with this text. */
export const hide = (text) => {
  queue = queue.filter((queued) => queued.text !== text);
  update();
};

/** Says that the requested page was not found. */
export const showNotFound = () => show({ type: "warning", text: words().notFound });
/** Offers the page in another language, unless the visitor has refused this before. */
export const offerLanguage = (id) => {
  if (isRefused()) {
    return;
  }
  const { tag, text, accept, dismiss } = MESSAGES[id].offer;
  show({
    type: "info",
    lang: tag,
    text,
    timeout: 0,
    waits: true,
    action: { label: accept, run: () => document.querySelector(`a[data-language=${id}]`).click() },
    dismissLabel: dismiss,
    onDismiss: () => sessionStorage.setItem(REFUSED_KEY, "1"),
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
  current ??= createMessage(next);
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

const icon = (name) =>
  `<svg viewBox="0 0 24 24" width="24" height="24" class="a-icon" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

const createMessage = (message) => {
  const { type, text, content, action, lang, waits } = message;
  const labels = words();
  let cameFrom = null;
  const className = `snackbar snackbar-${type}${waits ? " snackbar-offer" : ""}`;
  const box = Object.assign(document.createElement("aside"), { className, popover: "manual" });
  if (lang) {
    box.lang = lang;
  }
  box.innerHTML =
    `${icon(type)}<div role="${type === "error" ? "alert" : "status"}" class="snackbar-text"></div>` +
    `${action ? "<button type=\"button\" class=\"snackbar-action\"></button>" : ""}` +
    `<button type="button" class="icon-button">${icon("close")}</button>`;
  const liveRegion = box.querySelector("div");
  const dismissButton = box.querySelector(".icon-button");
  const actionButton = box.querySelector(".snackbar-action");
  dismissButton.ariaLabel = message.dismissLabel ?? labels.dismiss;
  if (actionButton) {
    actionButton.textContent = action.label ?? labels.again;
  }

  const dismissMessage = () => {
    const hadFocus = box.contains(document.activeElement);
    queue = queue.filter((queued) => queued !== message);
    update();
    if (hadFocus && cameFrom?.isConnected) {
      cameFrom.focus();
    }
    message.onDismiss?.();
  };
  // Closes after the timeout, but not while it has the pointer or the focus; with 0 it stays.
  let timer;
  const stopTimer = () => clearTimeout(timer);
  const startTimer = () => {
    stopTimer();
    if (message.timeout) {
      timer = setTimeout(dismissMessage, message.timeout);
    }
  };
  // While it has the pointer or the focus it does not move: a press that ends beside the button would be lost.
  const reposition = () => box.matches(":hover, :focus-within") || avoidCovering(box);
  const announcement = setTimeout(() => {
    liveRegion.innerHTML = `<p><span class="sr-only"></span></p>${content ? "<p class=\"snackbar-content\"></p>" : ""}`;
    liveRegion.querySelector("span").textContent = labels[type];
    liveRegion.firstChild.append(text);
    if (content) {
      liveRegion.lastChild.textContent = content;
    }
    reposition();
  }, ANNOUNCE_DELAY_MS);

  dismissButton.addEventListener("click", dismissMessage);
  actionButton?.addEventListener("click", () => {
    dismissMessage();
    action.run?.();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") {
      return;
    }
    event.preventDefault(); // keeps the surrounding dialog open
    event.stopPropagation();
    dismissMessage();
  });
  box.addEventListener("focusin", ({ relatedTarget }) => {
    if (relatedTarget && !box.contains(/** @type {Node} */ (relatedTarget))) {
      cameFrom = relatedTarget;
    }
    stopTimer();
  });
  box.addEventListener("pointerenter", stopTimer);
  for (const type of ["pointerleave", "focusout"]) {
    box.addEventListener(type, startTimer);
  }
  addEventListener("focusin", reposition);
  visualViewport?.addEventListener("resize", reposition);
  startTimer();

  const remove = () => {
    clearTimeout(announcement);
    stopTimer();
    removeEventListener("focusin", reposition);
    visualViewport?.removeEventListener("resize", reposition);
    box.remove();
  };
  return { message, box, remove, reposition };
};

// Moves a message to the foot or a little above it, to the top, or below the bar: where it covers least. Sums up, for each position, the
// covered area of every control and text on the screen, weighted by how much the visitor needs it.
const PRESSED = "a, button, input, select, textarea, summary, label";
const READ = "h1, h2, h3, h4, h5, p, li, dt, dd, strong";
const SOUGHT = "h1, strong, .button, [class*='-price']";
const WEIGHTS = { focused: 200, sought: 50, pressed: 10, read: 1 }; // per square pixel
const weightOf = (element) => {
  if (element === document.activeElement) {
    return WEIGHTS.focused;
  }
  return element.matches(SOUGHT) ? WEIGHTS.sought : element.matches(PRESSED) ? WEIGHTS.pressed : WEIGHTS.read;
};
// A text is often narrower than its element.
const areaOf = (element) => {
  if (element.matches(PRESSED)) {
    return element.getBoundingClientRect();
  }
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
};
const positions = (height) => {
  const foot = (visualViewport?.height ?? innerHeight) - height - 16;
  const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  return [
    ...[0, height, 2 * height].map((lift) => ({ top: foot - lift, className: "", lift })),
    { top: 0, className: "snackbar-high", lift: 0 },
    { top: bar + 8, className: "snackbar-below", lift: 0 },
  ];
};
const avoidCovering = (box) => {
  const { left, right, height } = box.getBoundingClientRect();
  const candidates = positions(height);
  const covered = candidates.map(() => 0);
  const screen = { top: 0, bottom: visualViewport?.height ?? innerHeight };
  const visiblePart = messageContainer().closest("dialog")?.getBoundingClientRect() ?? screen; // a dialog clips what it scrolls
  for (const element of messageContainer().querySelectorAll(`${PRESSED}, ${READ}`)) {
    const area = areaOf(element);
    const isApart = !area.height || area.right <= left || area.left >= right || box.contains(element);
    if (isApart || element.checkVisibility?.() === false) {
      continue;
    }
    const width = Math.min(right, area.right) - Math.max(left, area.left);
    const weight = weightOf(element);
    candidates.forEach(({ top }, index) => {
      const covers = Math.min(top + height, area.bottom, visiblePart.bottom) - Math.max(top, area.top, visiblePart.top);
      covered[index] += weight * width * Math.max(0, covers);
    });
  }
  const best = candidates[covered.indexOf(Math.min(...covered))];
  for (const { className } of candidates) {
    if (className) {
      box.classList.toggle(className, className === best.className);
    }
  }
  box.style.setProperty("--lift", `${best.lift}px`);
};

// Moves the message when a dialog opens or closes.
new MutationObserver(update).observe(document.body, { subtree: true, attributeFilter: ["open"] });
addEventListener(HYDRATED, update);
