// The countdown of a hold, and the warnings before and at its end. Not in Python, because it ticks every second and must warn in time
// even if the server does not respond.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { showMessage, hideMessage } from "$/components/messages/events";

// Before the end of a hold: first the button that extends it stands out, then the visitor is warned.
const HIGHLIGHT_BEFORE_END_MS = 180_000;
const WARN_BEFORE_END_MS = 120_000;

let newest = { heldAt: 0, end: 0 }; // survives a change of language
const endOf = (heldAt, seconds) => {
  if (heldAt !== newest.heldAt) {
    newest = { heldAt, end: Date.now() + seconds * 1000 };
  }
  return newest.end;
};

/** The remaining time of a hold. Not a live region, because screen readers would read it out every second. */
export const HoldClock = ({ heldAt, seconds, words }) => {
  const end = endOf(heldAt, seconds);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [heldAt]);
  const remaining = Math.max(0, Math.round((end - now) / 1000));
  if (!remaining) {
    return words.expired;
  }
  const clock = `${Math.floor(remaining / 60)}:${String(remaining % 60).padStart(2, "0")}`;
  const isSoon = remaining * 1000 < HIGHLIGHT_BEFORE_END_MS;
  return (
    <>
      {words.held}{" "}
      <time className="hold-left" dateTime={`PT${remaining}S`} data-soon={isSoon ? "" : undefined}>
        {clock}
      </time>
    </>
  );
};

/** Warns before the end of the hold, and at its end reports it with `onExpire`. Renders nothing. */
export const HoldWarnings = ({ heldAt, seconds, words, onExtend, onExpire }) => {
  const shownText = useRef("");
  const hideWarning = () => shownText.current && hideMessage(shownText.current);
  const warn = (text) => {
    shownText.current = text;
    showMessage({ type: "warning", text, timeout: 0, action: { label: words.keep_short, run: onExtend } });
  };
  const warnOfEnd = useEffectEvent(() => warn(words.warning));
  const expire = useEffectEvent(() => {
    hideWarning();
    onExpire(heldAt);
    warn(words.expired);
  });
  useEffect(() => {
    if (!seconds) {
      return undefined;
    }
    const remaining = endOf(heldAt, seconds) - Date.now();
    const warningDelay = Math.max(0, remaining - WARN_BEFORE_END_MS);
    const timers = [setTimeout(() => warnOfEnd(), warningDelay), setTimeout(() => expire(), remaining)];
    return () => {
      for (const timer of timers) {
        clearTimeout(timer);
      }
      hideWarning();
    };
  }, [heldAt, seconds]);
  return null;
};
