// Synchronizes the open <dialog> or <details> inside with a state: the browser opens it at once and reports it; the state may override it.
// Nothing here renders an `open` attribute, so hydration and React's diff do not change what the visitor opened.
//
// Every change by the visitor has a number, and the state returns the newest number it knows: an update with an older number is ignored.
// The number survives a reload, so that after a lost report the state cannot reopen what the visitor closed.
import { createElement, useEffect, useLayoutEffect, useRef } from "react";
import { afterPaint } from "$/components/browser/page_events";

const memory = (name) => `open:${name}`;
const remembered = (name) => JSON.parse(sessionStorage.getItem(memory(name)) ?? "null");
const nameOf = (element) => element?.dataset.name ?? element?.id ?? "";
const openIn = (box) => nameOf(box.querySelector("dialog[open], details[open]"));

const put = (box, id, open) => {
  const element = id && box.querySelector(`[data-name="${CSS.escape(id)}"], [id="${CSS.escape(id)}"]`);
  if (!element || element.open === open) {
    return;
  }
  if (element.showModal) {
    open ? element.showModal() : element.close();
  } else {
    element.open = open;
  }
};

/**
 * `keeps`: reopens the open element before the first paint when React mounts the component again. A newly loaded document stays closed,
 * because it is already painted and would jump.
 */
export const OpenStateSync = ({ name, keeps, openId, seq, hydrated, onReport, children, className }) => {
  const box = useRef(null);
  const report = useRef(onReport);
  const reported = useRef({ id: "", seq: 0 });
  const last = useRef({ seq: 0, hydrated: false });
  report.current = onReport;

  const tell = (id) => {
    reported.current = { id, seq: Math.max(Date.now(), reported.current.seq + 1) };
    sessionStorage.setItem(memory(name), JSON.stringify(reported.current));
    report.current(id, reported.current.seq);
  };

  const look = () => {
    const id = box.current && openIn(box.current);
    if (box.current && id !== reported.current.id) {
      tell(id);
    } // otherwise the server made the change
  };

  useLayoutEffect(() => {
    reported.current = remembered(name) ?? reported.current;
    if (keeps && window.hydratedAt && !openIn(box.current)) {
      put(box.current, reported.current.id, true);
    }
  }, []);
  useEffect(() => {
    look();
    const observer = new MutationObserver(() => afterPaint(look));
    observer.observe(box.current, { subtree: true, attributeFilter: ["open"] });
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    look(); // a change that the visitor has just made is newer than this update
    const stale = seq < reported.current.seq;
    if (!stale && openId !== reported.current.id) {
      put(box.current, reported.current.id, false);
      put(box.current, openId, true);
      reported.current = { ...reported.current, id: openId };
      sessionStorage.setItem(memory(name), JSON.stringify(reported.current));
    }
    // After a new connection, or if the server has lost the state, report again what it has missed.
    const anew = hydrated && (!last.current.hydrated || seq < last.current.seq);
    if (stale && anew) {
      report.current(reported.current.id, reported.current.seq);
    }
    last.current = { seq, hydrated };
  }, [openId, seq, hydrated]);

  return createElement("div", { ref: box, className }, children);
};
