// Starts React when the visitor presses, focuses or types into a control that needs it. Preloads its modules at low priority at the
// first activity.
import { CORE, ENTRY, MANIFEST, ROOT } from "$/static_first/built";
import { recordEvents } from "$/static_first/journal";
import { wholeStyle } from "$/static_first/style";
import { firstActivity } from "$/static_first/first_activity";

const PATIENCE = 15_000; // milliseconds after which a held form is sent without React
const INTENTS = ["pointerdown", "focusin", "input", "click"];
const HANDLERS = "[data-react]"; // elements that have handlers in Python: see marked_jsx.js
const hasHandlers = !!document.querySelector(HANDLERS);
const { route, modules, start: startsAt, state } = document.querySelector("script[data-boot]").dataset;
const own = modules.split(" "); // the page's own module comes last
const needed = [...CORE, MANIFEST, ROOT, ...own, ENTRY];
let started;
let fetched;
let answer;

/**
 * `needsReact` selects what nothing but React can answer, besides the elements whose handlers Reflex knows; `intent` what starts React
 * when it is pressed, focused or typed into. React starts at once where `isMeant`; `onStart` hears of it.
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
  holdEvents(needsReact);
  const early = [{ type: "focusin", target: document.activeElement }, ...(window.early ?? [])]; // before this script was there
  // A page that shows state shows that of this tab, once React has been here.
  if (isMeant || startsAt === "load" || (state !== undefined && hasToken()) || early.some(isIntent)) {
    start();
  }
};

const react = () => import("$/static_first/react");
const replayer = () => import("$/static_first/replay");

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
  react().catch(() => {}); // said when it is needed
  if (hasHandlers) {
    replayer().catch(() => {});
  }
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
    const submit = stopRecording().find(({ type, target }) => type === "submit" && target.hasAttribute("action"));
    submit?.target.submit();
  };
  const stopRecording = hasHandlers ? recordEvents(wait) : () => [];
  addEventListener("click", hold, true);
  addEventListener(
    "hydrated",
    async () => {
      const { replay } = hasHandlers ? await replayer() : {};
      await replay?.(stopRecording());
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
};
