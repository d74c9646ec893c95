// Shows one short message at a time, the newest. It is a popover, so that nothing clips it, and is placed inside an open dialog, because
// everything else is inert then. It stays while it has the pointer or the focus, and covers what one wants to press or read as
// little as it can.
import { ICONS, MESSAGES } from "$/build_parts/messages";
import { localeOf } from "$/components/browser/locale";
import { wholeStyle } from "$/static_first/style";

const TIMEOUTS = { success: 6000, info: 6000, warning: 12000, error: 0 }; // milliseconds; with 0 the message stays
const ANNOUNCE_DELAY = 50; // milliseconds; a live region must exist before its text is added
const REFUSED = "offer:refused";

const words = () => MESSAGES[localeOf(location.pathname)];
let waiting = []; // the newest last; of the older ones only those that stay until dismissed
let shown = null; // { message, box, remove }

export const show = (options) => {
  const message = { timeout: TIMEOUTS[options.type], ...options };
  // A success removes earlier errors, which are then resolved; every new message removes those with a timeout.
  const stays = (queued) =>
    queued.text !== message.text && (queued.waits || (queued.timeout === 0 && message.type !== "success"));
  waiting = [...waiting.filter(stays), message];
  wholeStyle().then(update);
};
export const forget = (text) => {
  waiting = waiting.filter((queued) => queued.text !== text);
  update();
};

export const sayNotFound = () => show({ type: "warning", text: words().notFound });
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
    onDismiss: () => sessionStorage.setItem(REFUSED, "1"),
  });
};
const isRefused = () => {
  try {
    return sessionStorage.getItem(REFUSED);
  } catch {
    return true; // the visitor's refusal could not be stored
  }
};

// Before React has hydrated the page, the markup of its dialogs must not change.
const place = () => document.querySelector("dialog[open]") ?? document.body;
const canHold = (where) => where === document.body || window.hydratedAt;

const update = () => {
  const where = place();
  const urgent = waiting.filter((queued) => !queued.waits);
  // a message that can wait is not shown while a dialog is open either
  const current = urgent.at(-1) ?? (where === document.body ? waiting.at(-1) : undefined);
  if (shown && shown.message !== current) {
    shown.remove();
    shown = null;
  }
  if (!current || !canHold(where)) {
    return;
  }
  shown ??= present(current);
  if (shown.box.parentNode === where) {
    return;
  }
  const focused = shown.box.contains(document.activeElement) && /** @type {HTMLElement} */ (document.activeElement);
  where.append(shown.box);
  shown.box.showPopover?.(); // moving a popover closes it
  if (focused) {
    focused.focus();
  }
  shown.keepClear();
};

const icon = (name) =>
  `<svg viewBox="0 0 24 24" width="24" height="24" class="a-icon" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

const present = (message) => {
  const { type, text, content, action, lang } = message;
  const labels = words();
  let cameFrom = null;
  const box = Object.assign(document.createElement("aside"), { className: `snackbar snackbar-${type}`, popover: "manual" });
  if (lang) {
    box.lang = lang;
  }
  box.innerHTML =
    `${icon(type)}<div role="${type === "error" ? "alert" : "status"}" class="snackbar-text"></div>` +
    `${action ? "<button type=\"button\" class=\"snackbar-action\"></button>" : ""}` +
    `<button type="button" class="icon-button">${icon("close")}</button>`;
  const live = box.querySelector("div");
  const dismiss = box.querySelector(".icon-button");
  const act = box.querySelector(".snackbar-action");
  dismiss.ariaLabel = message.dismissLabel ?? labels.dismiss;
  if (act) {
    act.textContent = action.label ?? labels.again;
  }

  const close = () => {
    const hadFocus = box.contains(document.activeElement);
    waiting = waiting.filter((queued) => queued !== message);
    update();
    if (hadFocus && cameFrom?.isConnected) {
      cameFrom.focus();
    }
    message.onDismiss?.();
  };
  // Closes after the timeout, but not while it has the pointer or the focus; with 0 it stays.
  let timer;
  const hold = () => clearTimeout(timer);
  const countDown = () => {
    hold();
    if (message.timeout) {
      timer = setTimeout(close, message.timeout);
    }
  };
  // While it has the pointer or the focus it does not move: a press that ends beside the button would be lost.
  const clear = () => box.matches(":hover, :focus-within") || keepClear(box);
  const announcement = setTimeout(() => {
    live.innerHTML = `<p><span class="sr-only"></span></p>${content ? "<p class=\"snackbar-content\"></p>" : ""}`;
    live.querySelector("span").textContent = labels[type];
    live.firstChild.append(text);
    if (content) {
      live.lastChild.textContent = content;
    }
    clear();
  }, ANNOUNCE_DELAY);

  dismiss.addEventListener("click", close);
  act?.addEventListener("click", () => {
    close();
    action.run?.();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") {
      return;
    }
    event.preventDefault(); // keeps the surrounding dialog open
    event.stopPropagation();
    close();
  });
  box.addEventListener("focusin", ({ relatedTarget }) => {
    if (relatedTarget && !box.contains(/** @type {Node} */ (relatedTarget))) {
      cameFrom = relatedTarget;
    }
    hold();
  });
  box.addEventListener("pointerenter", hold);
  for (const kind of ["pointerleave", "focusout"]) {
    box.addEventListener(kind, countDown);
  }
  addEventListener("focusin", clear);
  visualViewport?.addEventListener("resize", clear);
  countDown();

  const remove = () => {
    clearTimeout(announcement);
    hold();
    removeEventListener("focusin", clear);
    visualViewport?.removeEventListener("resize", clear);
    box.remove();
  };
  return { message, box, remove, keepClear: clear };
};

// Puts a message where it covers the least of what one wants to press or read: at the foot, at the top, or below the bar.
const PLACES = ["", "snackbar-high", "snackbar-below"];
const PRESSED = "a, button, input, select, textarea, summary, label";
const READ = "h1, h2, h3, h4, h5, p, li, dt, dd";
const WEIGHTS = { focused: 100, pressed: 10, read: 1 }; // per square pixel
const keepClear = (box) => {
  const { left, right, height } = box.getBoundingClientRect();
  const foot = visualViewport?.height ?? innerHeight;
  const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  const tops = [foot - height - 16, 0, bar + 8];
  const covered = tops.map(() => 0);
  const shownPart = place().closest("dialog")?.getBoundingClientRect() ?? { top: 0, bottom: foot }; // a dialog clips what it scrolls
  for (const element of place().querySelectorAll(`${PRESSED}, ${READ}`)) {
    const area = element.getBoundingClientRect();
    const isApart = !area.height || area.right <= left || area.left >= right || box.contains(element);
    if (isApart || element.checkVisibility?.() === false) {
      continue;
    }
    const width = Math.min(right, area.right) - Math.max(left, area.left);
    const weight = element === document.activeElement ? "focused" : element.matches(PRESSED) ? "pressed" : "read";
    tops.forEach((top, at) => {
      const covers = Math.min(top + height, area.bottom, shownPart.bottom) - Math.max(top, area.top, shownPart.top);
      covered[at] += WEIGHTS[weight] * width * Math.max(0, covers);
    });
  }
  const best = covered.indexOf(Math.min(...covered));
  PLACES.forEach((name, at) => name && box.classList.toggle(name, at === best));
};

// Moves the message when a dialog opens or closes.
new MutationObserver(update).observe(document.body, { subtree: true, attributeFilter: ["open"] });
addEventListener("hydrated", update);
