// Which <dialog> or <details> inside is open: the browser decides at once, a state hears of it and may overrule.
// Nothing here renders an `open` attribute, so hydration and React's diff leave alone what the visitor opened.
//
// Every change by the visitor has a number, and the state answers with the newest it knows: what it says from before our newest
// change is dropped. The number outlives a reload, so that a report that got lost cannot open again what was closed.
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
 * `keeps`: what was open is opened again, before it is painted, when React shows the part anew. A document that is loaded comes closed:
 * it has been painted, and would jump.
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
    } // else the server's own doing
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
    look(); // what the visitor has just done is newer than what has come
    const stale = seq < reported.current.seq;
    if (!stale && openId !== reported.current.id) {
      put(box.current, reported.current.id, false);
      put(box.current, openId, true);
      reported.current = { ...reported.current, id: openId };
      sessionStorage.setItem(memory(name), JSON.stringify(reported.current));
    }
    // A new connection, or a server that has forgotten: whatever it has missed, it is told again.
    const anew = hydrated && (!last.current.hydrated || seq < last.current.seq);
    if (stale && anew) {
      report.current(reported.current.id, reported.current.seq);
    }
    last.current = { seq, hydrated };
  }, [openId, seq, hydrated]);

  return createElement("div", { ref: box, className }, children);
};
