// Days as groups of real choices, each with its full name: Tuesday 4 August, 15:00 Bangkok · 09:00 London.
import { useEffect, useRef, useState } from "react";
import { areSame, changeNear, dayWords, fill, hostClock, momentWords, plainDayWords, timeWords } from "$/components/booking/clocks";

const FIRST = 3, MORE = 4; // days

export const DayTimes = ({ view, host, words, saying, date, slots, time }) => (
  <fieldset className="day" data-day={date}>
    <legend className="day-name" tabIndex={-1}>{plainDayWords(date, words.tag)}</legend>
    <ChangeNote {...{ date, zone: view.zone, host, words, saying }} />
    <Slots {...{ view, host, saying, slots, time }} />
  </fieldset>
);

export const Slots = ({ view, host, saying, slots, time }) => (
  <div className="slots">
    {slots.map(({ id, start }) => {
      const moment = new Date(start), zone = view.zone;
      return (
        <label className="slot" key={id}>
          <input type="radio" name="time" value={id} checked={view.choice === id} onChange={() => time.choose(id)} />
          <span className="sr-only">{momentWords(moment, zone, host, saying)}</span>
          <span className="slot-time" aria-hidden="true">{timeWords(moment, zone)}</span>
          {!areSame(moment, zone, host) && <small className="slot-there" aria-hidden="true">{hostClock(moment, zone, host, saying)}</small>}
        </label>
      );
    })}
  </div>
);

const ChangeNote = ({ date, zone, host, words, saying }) => {
  const where = [...new Set([zone, host])].map((one) => [one, changeNear(date, one)]).filter(([, day]) => day);
  return where.map(([one, day]) => (
    <p className="day-note" key={one}>{fill(words.change, { place: saying.place(one), day: dayWords(day, one, words.tag) })}</p>
  ));
};

// The next few days, and more of them on request.
/** @param {any} props */
export const DayList = ({ days, first, ...props }) => {
  const dates = [...days.keys()], box = useRef(null), added = useRef("");
  const [count, setCount] = useState(() => Math.max(FIRST, dates.indexOf(first) + 1));
  useEffect(() => {
    if (added.current) box.current.querySelector(`[data-day="${added.current}"] legend`)?.focus();
    added.current = "";
  }, [count]);
  const more = () => {
    added.current = dates[count];
    setCount(count + MORE);
  };
  return (
    <div className="days" ref={box}>
      {dates.slice(0, count).map((date) => <DayTimes key={date} {...props} date={date} slots={days.get(date)} />)}
      {count < dates.length && <button type="button" className="button button-quiet" onClick={more}>{props.words.more}</button>}
    </div>
  );
};
