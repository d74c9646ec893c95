// Starts React when the visitor presses, focuses or types into a control that needs it. Preloads its modules at low priority at the
// first activity.
import { CORE, ENTRY, MANIFEST, ROOT } from "$/static_first/built";
import { wholeStyle } from "$/static_first/style";
import { firstActivity } from "$/static_first/first_activity";

const PATIENCE = 15_000; // milliseconds after which a held form is sent without React
const INTENTS = ["pointerdown", "focusin", "input", "click"];
const HANDLERS = "[data-react]"; // elements that have handlers in Python: see marked_jsx.js
const { route, modules, start: startsAt, state } = document.querySelector("script[data-boot]").dataset;
const own = modules.split(" "); // the page's own module comes last
const needed = [...CORE, MANIFEST, ROOT, ...own, ENTRY];
let started;
let fetched;
let answer;

/**
 * `needsReact` selects the elements that only React can handle, besides those with Reflex handlers; `intent` selects the elements that
 * start React when pressed, focused or typed into. With `isMeant` React starts at once. `onStart` is called at the start. Resolves once
 * this script stores the events that boot.js has stored so far.
 */
export const startOnIntent = ({
  needsReact = "[data-needs-react]",
  intent = "form, [command=show-modal]",
  isMeant = false,
  onStart = () => {},
} = {}) => {
  answer = onStart;
  const meant = `${intent}, ${needsReact}`;
  const isIntent = ({ target }) => target.closest?.(`${meant}, ${HANDLERS}`);
  for (const kind of INTENTS) {
    addEventListener(kind, (event) => isIntent(event) && start(), { capture: true, passive: true });
  }
  addEventListener("intent", start);
  firstActivity.then(() => savesData() || fetchAhead("low"));
  const replay = holdEvents(needsReact);
  const early = [{ type: "focusin", target: document.activeElement }, ...(window.early ?? [])]; // from before this script ran
  // A page that shows state needs React at once if this tab already has a state.
  if (isMeant || startsAt === "load" || (state !== undefined && hasToken()) || early.some(isIntent)) {
    start();
  }
  return replay;
};

const react = () => import("$/static_first/react");

const hasToken = () => {
  try {
    return !!sessionStorage.getItem("token");
  } catch {
    return false; // the browser forbids storage
  }
};

const start = () => {
  if (started) {
    return;
  }
  started = true;
  fetchAhead("high");
  wholeStyle();
  document.querySelector("script[type=speculationrules]")?.remove(); // from now on React loads pages
  answer();
  react()
    .then(({ load }) => load(route, needed))
    .catch((error) => {
      console.warn("interaction did not load", error);
      started = fetched = false; // so that the next press tries again
      dispatchEvent(new Event("interaction-failed"));
    });
};

const savesData = () => navigator.connection?.saveData || /2g$/.test(navigator.connection?.effectiveType);

const fetchAhead = (fetchPriority) => {
  if (fetched) {
    return;
  }
  fetched = true;
  react().catch(() => {}); // reported when React is needed
  for (const href of needed) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", fetchPriority, href }));
  }
};

// Holds a click on an element that only React can handle until React runs, and shows the element as pressed. If React does not load, a
// form is sent without it.
const holdEvents = (needsReact) => {
  const held = new Set();
  let waiting;
  const wait = () => {
    waiting ??= setTimeout(giveUp, PATIENCE);
    start();
  };
  const keep = (target) => {
    held.add(target);
    target.setAttribute("aria-busy", "true");
    wait();
  };
  const hold = (event) => {
    const target = event.target.closest?.(needsReact);
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button) {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation(); // React, if partly started, would handle it as well
    keep(target);
  };
  const release = () => {
    clearTimeout(waiting);
    removeEventListener("click", hold, true);
    const targets = [...held];
    held.clear();
    for (const target of targets) {
      target.removeAttribute("aria-busy");
    }
    return targets;
  };
  const giveUp = () => {
    for (const target of release()) {
      if (target.form?.hasAttribute("action")) {
        target.form.requestSubmit(target);
      }
    }
    replay.then((events) => events?.giveUp());
  };
  // Most pages have no such elements and do not load this module.
  const replay = document.querySelector(HANDLERS)
    ? import("$/static_first/replay").then(({ keepEvents }) => keepEvents(wait))
    : Promise.resolve(null);
  addEventListener("click", hold, true);
  addEventListener(
    "hydrated",
    async () => {
      await (await replay)?.replay();
      release().forEach((target) => target.click());
    },
    { once: true },
  );
  addEventListener("interaction-failed", giveUp);
  const early = window.early
    ?.filter(({ type }) => type === "click")
    .at(-1)
    ?.target.closest?.(needsReact); // a submit button has already sent its form
  if (early?.type === "button") {
    keep(early);
  }
  return replay;
};
