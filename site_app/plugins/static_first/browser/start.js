// Starts React when the visitor presses, focuses or types into a control that needs it. Preloads its modules at low priority when the
// pointer comes over such a control: whoever only reads and scrolls never downloads React.
import { CORE, ENTRY, MANIFEST, ROOT } from "$/static_first/built";
import { clickedEarly } from "$/static_first/early";
import { HYDRATED, INTENT, INTERACTION_FAILED } from "$/static_first/events";
import { noteForeignChanges } from "$/static_first/foreign_changes";
import { recordEvents } from "$/static_first/journal";
import { holdBack, isForBrowser } from "$/static_first/press";
import { wholeStyle } from "$/static_first/style";

const PATIENCE_MS = 15_000; // after which a held form is sent without React, and a held link can be pressed again
const SENDABLE = "form[action] [aria-busy], form[action][aria-busy], a[href][aria-busy]"; // held, and the browser can handle it
const INTENTS = ["pointerdown", "focusin", "input", "click"];
const HANDLERS = "[data-react]"; // elements that have handlers in Python: see marked_jsx.js
const hasHandlers = Boolean(document.querySelector(HANDLERS));
const { route, modules, bootMode, state } = document.querySelector("script[data-boot]").dataset;
const reactModules = [...CORE, MANIFEST, ROOT, ...modules.split(" ")]; // in the order in which they run, the page's own module last
let isStarted;
let isFetched;
let notifyStart;

/**
 * Starts React when the visitor presses, focuses or types into a control that matches `intent` or `needsReact`, or has handlers in Python.
 * Only React can handle a click on `needsReact`, so the click is held until React runs. With `startsNow`, React starts at once. Calls
 * `onStart` when it starts.
 */
export const startOnIntent = ({
  needsReact = "[data-needs-react]",
  intent = "form, [command=show-modal]",
  startsNow = false,
  onStart = () => {},
} = {}) => {
  notifyStart = onStart;
  const controls = `${intent}, ${needsReact}`;
  const isPressOfControl = ({ target }) => target.closest?.(`${controls}, ${HANDLERS}`);
  for (const type of INTENTS) {
    addEventListener(type, (event) => isPressOfControl(event) && start(), { capture: true, passive: true });
  }
  addEventListener(INTENT, start);
  noteForeignChanges();
  reloadOnReturn();
  const onHover = (event) => {
    // A finger is over a control only when it presses it, and then React is fetched at high priority.
    if (event.pointerType !== "touch" && isPressOfControl(event) && !savesData()) {
      fetchAhead("low");
    }
  };
  addEventListener("pointerover", onHover, { capture: true, passive: true });
  holdEvents(needsReact);
  const earlyEvents = [{ type: "focusin", target: document.activeElement }, ...(window.early ?? [])]; // from before this script ran
  // A page that shows state shows the state of this tab, if React has run in it before.
  if (startsNow || bootMode === "load" || (state !== undefined && hasToken()) || earlyEvents.some(isPressOfControl)) {
    start();
  }
};

// Back may lead to an entry that another document of this address added, before the visitor reloaded it or React let the browser load it: the
// browser then changes only the address. React Router shows the page once React runs.
const reloadOnReturn = () => {
  const loadedPath = location.pathname;
  const onReturn = () => {
    if (location.pathname !== loadedPath && !window.hydratedAt) {
      location.reload();
    }
  };
  addEventListener("popstate", onReturn, true);
};

const importReact = () => import("$/static_first/react");
const importReplay = () => import("$/static_first/replay");

const hasToken = () => {
  try {
    return Boolean(sessionStorage.getItem("token"));
  } catch {
    return false; // the browser forbids storage
  }
};

const start = () => {
  if (isStarted) {
    return;
  }
  isStarted = true;
  fetchAhead("high");
  wholeStyle();
  document.querySelector("script[type=speculationrules]")?.remove(); // from now on React loads pages
  notifyStart();
  importReact()
    .then(({ load }) => load(route, reactModules))
    .catch((error) => {
      console.warn("interaction did not load", error);
      isStarted = isFetched = false; // so that the next press tries again
      dispatchEvent(new Event(INTERACTION_FAILED));
    });
};

const savesData = () => navigator.connection?.saveData || /2g$/.test(navigator.connection?.effectiveType);

const fetchAhead = (fetchPriority) => {
  if (isFetched) {
    return;
  }
  isFetched = true;
  importReact().catch(() => {}); // reported when it is needed
  if (hasHandlers) {
    importReplay().catch(() => {});
  }
  for (const href of [...reactModules, ENTRY]) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", fetchPriority, href }));
  }
};

// Holds what only React can handle until React runs: clicks on `needsReact`, and events of elements with handlers in Python, which journal.js
// records and replay.js repeats in their order, because each may change a state. If React does not load, forms are sent without it.
const holdEvents = (needsReact) => {
  let timer;
  const startWaiting = () => {
    timer ??= setTimeout(onTimeout, PATIENCE_MS);
    start();
  };
  const release = () => {
    clearTimeout(timer);
    return releaseClicks();
  };
  const onTimeout = () => {
    timer = undefined;
    if (document.querySelector(SENDABLE)) {
      giveUp();
    }
  };
  const giveUp = () => {
    const submit = stopRecording().find(({ type, target }) => type === "submit" && target.hasAttribute("action"));
    release().forEach(sendForm); // a click, which the journal would hold
    submit?.target.submit();
  };
  const repeatEvents = async () => {
    const { replay } = hasHandlers ? await importReplay() : {};
    await replay?.(stopRecording());
    release().forEach((target) => target.click());
  };
  const stopRecording = hasHandlers ? recordEvents(startWaiting) : () => [];
  const releaseClicks = holdClicks(needsReact, startWaiting); // its listener must run after those of the journal
  addEventListener(HYDRATED, repeatEvents, { once: true });
  addEventListener(INTERACTION_FAILED, giveUp);
};

// Holds clicks on controls that only React can handle, shows the controls as pressed, and calls `onHold` for each click. Returns a function that
// stops and returns the controls: they belong to scripts that read the page when they are pressed, so one click is enough, however often the
// visitor pressed.
const holdClicks = (needsReact, onHold) => {
  const heldTargets = new Set();
  const hold = (target) => {
    heldTargets.add(target);
    target.setAttribute("aria-busy", "true");
    onHold();
  };
  const onClick = (event) => {
    const target = event.target.closest?.(needsReact);
    if (!target || isForBrowser(event)) {
      return;
    }
    holdBack(event);
    hold(target);
  };
  addEventListener("click", onClick, true);
  const earlyTarget = clickedEarly(needsReact);
  // A submit button has already sent its form.
  if (earlyTarget?.type === "button") {
    hold(earlyTarget);
  }
  return () => {
    removeEventListener("click", onClick, true);
    const targets = [...heldTargets];
    heldTargets.clear();
    for (const target of targets) {
      target.removeAttribute("aria-busy");
    }
    return targets;
  };
};

// Sends the form of a held button, but does not press one that does not submit, such as "Clear form". Safari before 16 has no requestSubmit.
const sendForm = (button) => {
  if (button.type === "submit" && button.form?.hasAttribute("action")) {
    button.click();
  }
};
