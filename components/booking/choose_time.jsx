// The first step: which day, whose clock, which time.
import { useRef, useState } from "react";
import { CalendarGrid } from "$/components/booking/calendar_grid";
import { LostTime } from "$/components/booking/lost_time";
import { Slots } from "$/components/booking/slots";
import { Combobox } from "$/components/ui/combobox";
import { Field, FieldError } from "$/components/ui/field";
import { SelectMark, useFinePointer } from "$/components/ui/select";

export const ChooseTime = (props) => {
  const { time, view: { free, loaded, failed, lost }, words, none, failure } = props;
  const again = (event) => event.target.closest("button") && time.load();
  const rest = () => {
    if (free.days.length) return <Times {...props} />;
    if (loaded) return none;
    return failed ? <div role="alert" onClick={again}>{failure}</div> : <Skeleton words={words} />;
  };
  return (
    <section className="step">
      <div className="step-head">
        <p className="step-count">{words.stepOne}</p>
        <h3 className="step-title" tabIndex={-1} data-arrival={lost ? undefined : ""}>{words.chooseTime}</h3>
      </div>
      {lost && <LostTime {...props} />}
      {rest()}
    </section>
  );
};

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
    <Field id={id} label={words.zone} className="zone">
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
