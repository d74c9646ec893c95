// The second step begins with what was chosen, and how long it is still held.
import { useEffect, useState } from "react";
import { bothClocks, dayWords, fill } from "$/components/booking/clocks";
import { LostTime } from "$/components/booking/lost_time";
import { slotMoment } from "$/components/booking/slot_moment";
import { FieldError } from "$/components/ui/field";

export const HeldTime = (props) => {
  const { time, view, host, words, saying } = props;
  const title = (
    <>
      <p className="step-count">{fill(words.step, { step: 2, count: 2 })}</p>
      <h3 className="step-title" tabIndex={-1} data-arrival={view.lost ? undefined : ""}>{words.details}</h3>
    </>
  );
  if (view.lost) return <section className="step">{title}<LostTime {...props} /></section>;
  const moment = slotMoment(view.choice);
  const keep = () => !view.busy && (view.until ? time.extend() : time.hold());
  return (
    <section className="step">
      {title}
      <div className="held" data-lapsed={view.lapsed || undefined}>
        <p className="held-when">
          <strong>{dayWords(moment, view.zone, words.tag, true)}</strong>
          <span>{bothClocks(moment, view.zone, host, saying)}</span>
        </p>
        <HoldClock view={view} words={words} />
        {view.trouble && <div role="alert"><FieldError id="held" error={view.trouble} /></div>}
        <div className="held-actions">
          {!view.isUnheld && (
            <button type="button" className="button button-quiet" onClick={keep}>{view.until && !view.lapsed ? words.keep : words.holdAgain}</button>
          )}
          <button type="button" className="button-text" onClick={() => time.reconsider()}>{words.another}</button>
        </div>
      </div>
    </section>
  );
};

// Never a live region: it would be read out every second. The snackbar says politely when two minutes are left.
const HoldClock = ({ view, words }) => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [view.until]);
  if (view.lapsed) return <p className="hold-clock">{words.lapsed}</p>;
  if (!view.until) return <p className="hold-clock">{view.busy ? words.holding : words.notHeld}</p>;
  const left = Math.max(0, Math.round((view.until - now) / 1000));
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return (
    <p className="hold-clock">
      {words.held} <time className="hold-left" dateTime={`PT${left}S`}>{clock}</time>
    </p>
  );
};
