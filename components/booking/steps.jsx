// The two steps of booking: which day, whose clock, which time; then what was chosen, and how long it is still held.
import { useEffect, useRef, useState } from "react";
import { CalendarGrid } from "$/components/booking/calendar_grid";
import { Combobox } from "$/components/ui/combobox";
import { Field, FieldError } from "$/components/ui/field";
import { SelectMark, useFinePointer } from "$/components/ui/select";

export const ChooseTime = (props) => {
  const { time, view: { free, loaded, failed }, words, none, failure } = props;
  const again = (event) => event.target.closest("button") && time.load();
  const rest = () => {
    if (free.days.length) return <Times {...props} />;
    if (loaded) return none;
    return failed ? <div role="alert" onClick={again}>{failure}</div> : <Skeleton words={words} />;
  };
  return (
    <Step {...props} count={words.stepOne} title={words.chooseTime}>
      {props.view.lost && <LostTime {...props} />}
      {rest()}
    </Step>
  );
};

export const HeldTime = (props) => (
  <Step {...props} count={props.words.stepTwo} title={props.words.details}>
    {props.view.lost ? <LostTime {...props} /> : <Held {...props} />}
  </Step>
);

// Its heading takes the focus when the step is new, unless a lost time has more to say.
const Step = ({ count, title, view: { lost }, children }) => (
  <section className="step">
    <div className="step-head">
      <p className="step-count">{count}</p>
      <h3 className="step-title" tabIndex={-1} data-arrival={lost ? undefined : ""}>{title}</h3>
    </div>
    {children}
  </section>
);

const Times = ({ time, view, words }) => {
  const { free, chosen, trouble, busy } = view;
  const [shown, setShown] = useState(""), name = useRef(null);
  const dayOf = (test) => free.days.find(test);
  const day = dayOf(({ date }) => date === shown) ?? dayOf(({ times }) => times.some(({ id }) => id === chosen?.id)) ?? free.days[0];
  const show = (date) => {
    setShown(date);
    name.current.scrollIntoView({ block: "start" }); // on a phone its times stand below the calendar
  };
  const submit = (event) => {
    event.preventDefault();
    time.hold();
  };
  return (
    <form className="times-form" onSubmit={submit} noValidate>
      <CalendarGrid {...{ free, shown: day.date, onShow: show, words }} />
      <div className="day">
        <ZoneSelect {...{ time, view, words }} />
        <fieldset>
          <legend className="day-name" ref={name}>{day.words}</legend>
          {day.notes.map((note) => <p className="day-note" key={note}>{note}</p>)}
          <Slots times={day.times} chosen={chosen} onChoose={(one) => time.choose({ ...one, day: day.words })} />
        </fieldset>
      </div>
      <div className="booking-bar">
        <div className="booking-chosen">
          {trouble && <div role="alert"><FieldError id="times" error={trouble} /></div>}
          {chosen && !trouble && <p>{chosen.day}<br />{chosen.clocks}</p>}
        </div>
        <button type="submit" className="button button-strong" data-busy={busy || undefined}>
          {busy && <span className="spinner" aria-hidden="true" />}
          {words.goOn}
        </button>
      </div>
    </form>
  );
};

// Whose clock the times are on: searchable where there is a mouse, the device's own list on touch.
const ZoneSelect = ({ time, view: { free, zone }, words }) => {
  const isFine = useFinePointer(), id = "booking-zone";
  const choose = (wanted) => wanted && time.load(wanted);
  const options = free.zones.map(([value, label]) => ({ value, label }));
  return (
    <Field id={id} label={words.zone}>
      <div className="select">
        {isFine ? (
          <Combobox id={id} name="zone" aria={{}} required options={options} value={zone} words={words.zoneList} onChoose={choose} />
        ) : (
          <select id={id} className="control control-select" value={zone} onChange={({ target }) => choose(target.value)}>
            {options.map((one) => <option key={one.value} value={one.value}>{one.label}</option>)}
          </select>
        )}
        <SelectMark />
      </div>
    </Field>
  );
};

const Skeleton = ({ words }) => (
  <div aria-busy="true">
    <p className="sr-only" role="status">{words.loading}</p>
    <div className="times-skeleton" aria-hidden="true"><i /><i /></div>
  </div>
);

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

// The time went to somebody else: the nearest free ones.
const LostTime = ({ time, view: { step, lost, chosen, trouble }, words }) => {
  const near = time.nearest;
  const isStep = step === "time"; // then all others stand below, and the button too
  const submit = (event) => {
    event.preventDefault();
    time.hold();
  };
  return (
    <form className="lost" onSubmit={submit} noValidate>
      <div role="alert"><p className="lost-title" tabIndex={-1} data-arrival="">{lost.message}</p></div>
      {near.length > 0 && (
        <fieldset>
          <legend>{words.nearest}</legend>
          <Slots times={near} chosen={chosen} onChoose={(one) => time.choose(one)} withDay />
        </fieldset>
      )}
      {!isStep && trouble && <div role="alert"><FieldError id="lost" error={trouble} /></div>}
      {!isStep && (
        <div className="submit-row">
          {near.length > 0 && <button type="submit" className="button button-strong">{words.take}</button>}
          <button type="button" className="button-text" onClick={() => time.reconsider()}>{words.all}</button>
        </div>
      )}
    </form>
  );
};

// Times as real choices on both clocks; where their day is not said above them, each says its own.
const Slots = ({ times, chosen, onChoose, withDay = false }) => (
  <div className={withDay ? "slots slots-with-day" : "slots"}>
    {times.map((time) => (
      <label className="slot" key={time.id}>
        <input type="radio" name="time" value={time.id} checked={chosen?.id === time.id} onChange={() => onChoose(time)} />
        {withDay && <span className="slot-day">{time.day}</span>}
        <span className="sr-only">{time.clocks}</span>
        <span className="slot-time" aria-hidden="true">{time.here}</span>
        {time.there && <small className="slot-there" aria-hidden="true">{time.there}</small>}
      </label>
    ))}
  </div>
);
