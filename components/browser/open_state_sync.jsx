// Synchronizes the open <dialog> or <details> inside with a state: the browser opens it at once and reports it; the state may override it.
// Nothing here renders an `open` attribute, so hydration and React's diff do not change what the visitor opened.
//
// Every change by the visitor has a number, and the state returns the newest number it knows: an update with an older number is ignored.
// The number survives a reload, so that after a lost report the state cannot reopen what the visitor closed.
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { afterPaint } from "$/components/browser/page_events";

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
  const reported = useRef({ id: "", seq: 0 });
  const previous = useRef({ seq: 0, hydrated: false });
  const report = useEffectEvent(() => onReport(reported.current.id, reported.current.seq));
  const reportIfChanged = useEffectEvent(() => {
    const id = box.current && openIdIn(box.current);
    // The same id means that the server made the change.
    if (!box.current || id === reported.current.id) {
      return;
    }
    reported.current = { id, seq: Math.max(Date.now(), reported.current.seq + 1) };
    sessionStorage.setItem(storageKey(name), JSON.stringify(reported.current));
    report();
  });

  useLayoutEffect(() => {
    reported.current = readStored(name) ?? reported.current;
    if (keeps && window.hydratedAt && !openIdIn(box.current)) {
      setOpen(box.current, reported.current.id, true);
    }
  }, [name, keeps]);
  useEffect(() => {
    reportIfChanged();
    const observer = new MutationObserver(() => afterPaint(reportIfChanged));
    observer.observe(box.current, { subtree: true, attributeFilter: ["open"] });
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    reportIfChanged(); // a change that the visitor has just made is newer than this update
    const isStale = seq < reported.current.seq;
    if (!isStale && openId !== reported.current.id) {
      setOpen(box.current, reported.current.id, false);
      setOpen(box.current, openId, true);
      reported.current = { ...reported.current, id: openId };
      sessionStorage.setItem(storageKey(name), JSON.stringify(reported.current));
    }
    // After a new connection, or if the server has lost the state, report again what it has missed.
    const isReconnected = hydrated && (!previous.current.hydrated || seq < previous.current.seq);
    if (isStale && isReconnected) {
      report();
    }
    previous.current = { seq, hydrated };
  }, [name, openId, seq, hydrated]);

  return (
    <div ref={box} className={className}>
      {children}
    </div>
  );
};
