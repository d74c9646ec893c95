// Synchronizes the open <dialog> or <details> inside with a state: the browser opens it at once and reports it; the state may override it.
// Nothing here renders an `open` attribute, so hydration and React's diff do not change what the visitor opened.
//
// Every change by the visitor has a number, and the state returns the newest number it knows: an update with an older number is ignored.
// The number survives a reload, so that after a lost report the state cannot reopen what the visitor closed.
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { afterPaint } from "$/components/browser/page";

const storageKey = (name) => `open:${name}`;
const readStored = (name) => JSON.parse(sessionStorage.getItem(storageKey(name)) ?? "null");
const nameOf = (element) => element?.dataset.name ?? element?.id ?? "";
const openIdIn = (box) => nameOf(box.querySelector("dialog[open], details[open]"));

const setOpen = (box, id, open) => {
  const element = id && box.querySelector(`[data-name="${CSS.escape(id)}"], [id="${CSS.escape(id)}"]`);
  if (!element || element.open === open) {
    return;
  }
  if (!element.showModal) {
    element.open = open;
  } else if (open) {
    element.showModal();
  } else {
    element.close();
  }
};

/**
 * `keeps`: reopens the open element before the first paint when React mounts the component again. A newly loaded document stays closed,
 * because it is already painted and would jump.
 */
export const OpenStateSync = ({ name, keeps, openId, seq, hydrated, onReport, children, className }) => {
  const box = useRef(null);
  const reported = useRef({ id: "", seq: 0 }); // the open element and the number of the visitor's last change
  const store = (change) => {
    reported.current = change;
    sessionStorage.setItem(storageKey(name), JSON.stringify(change));
  };
  const report = () => onReport(reported.current.id, reported.current.seq);
  const reportIfChanged = () => {
    const id = box.current && openIdIn(box.current);
    // The same id means that the server made the change.
    if (!box.current || id === reported.current.id) {
      return;
    }
    store({ id, seq: Math.max(Date.now(), reported.current.seq + 1) });
    report();
  };

  useStored({ name, keeps, box, reported });
  useReports({ box, reportIfChanged });
  useUpdates({ name, openId, seq, hydrated, box, reported, store, report, reportIfChanged });
  return (
    <div ref={box} className={className}>
      {children}
    </div>
  );
};

// Reads what was reported before a reload, or before React mounted the component again.
const useStored = ({ name, keeps, box, reported }) => {
  useLayoutEffect(() => {
    reported.current = readStored(name) ?? reported.current;
    if (keeps && window.hydratedAt && !openIdIn(box.current)) {
      setOpen(box.current, reported.current.id, true);
    }
  }, [name, keeps, box, reported]);
};

// Reports what the visitor opens and closes.
const useReports = ({ box, reportIfChanged }) => {
  const onChange = useEffectEvent(reportIfChanged);
  useEffect(() => {
    onChange();
    const observer = new MutationObserver(() => afterPaint(() => onChange()));
    observer.observe(box.current, { subtree: true, attributeFilter: ["open"] });
    return () => observer.disconnect();
  }, [box]);
};

// Opens and closes what the state says.
const useUpdates = ({ name, openId, seq, hydrated, box, reported, store, report, reportIfChanged }) => {
  const previous = useRef({ seq: 0, hydrated: false });
  const applyUpdate = useEffectEvent(() => {
    reportIfChanged(); // a change that the visitor has just made is newer than this update
    const isStale = seq < reported.current.seq;
    if (!isStale && openId !== reported.current.id) {
      setOpen(box.current, reported.current.id, false);
      setOpen(box.current, openId, true);
      store({ ...reported.current, id: openId });
    }
    // After a new connection, or if the server has lost the state, report again what it has missed.
    const isReconnected = hydrated && (!previous.current.hydrated || seq < previous.current.seq);
    if (isStale && isReconnected) {
      report();
    }
    previous.current = { seq, hydrated };
  });
  useEffect(() => applyUpdate(), [name, openId, seq, hydrated]);
};
