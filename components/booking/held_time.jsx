// The second step begins with what was chosen, and how long it is still held.
import { useEffect, useState } from "react";
import { LostTime } from "$/components/booking/lost_time";
import { FieldError } from "$/components/ui/field";

export const HeldTime = (props) => {
  const { time, view, words } = props;
  return (
    <section className="step">
      <div className="step-head">
        <p className="step-count">{words.stepTwo}</p>
        <h3 className="step-title" tabIndex={-1} data-arrival={view.lost ? undefined : ""}>{words.details}</h3>
      </div>
      {view.lost ? <LostTime {...props} /> : <Held {...{ time, view, words }} />}
    </section>
  );
};

const Held = ({ time, view, words }) => (
  <div className="held" data-lapsed={view.lapsed || undefined}>
    <p className="held-when">
      <strong>{view.chosen.day}</strong>
      <span>{view.chosen.clocks}</span>
    </p>
    <HoldClock view={view} words={words} />
    {view.trouble && <div role="alert"><FieldError id="held" error={view.trouble} /></div>}
    <div className="held-actions">
      {!view.isUnheld && (
        <button type="button" className="button button-quiet" onClick={() => time.hold()}>
          {view.until && !view.lapsed ? words.keep : words.holdAgain}
        </button>
      )}
      <button type="button" className="button-text" onClick={() => time.reconsider()}>{words.another}</button>
    </div>
  </div>
);

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
  return <p className="hold-clock">{words.held} <time className="hold-left" dateTime={`PT${left}S`}>{clock}</time></p>;
};
