// The first step: whose clock, which day, which time.
import { useEffect, useMemo, useState } from "react";
import { CalendarGrid } from "$/components/booking/calendar_grid";
import { areSame, dateIn, fill, momentWords } from "$/components/booking/clocks";
import { DayList, DayTimes } from "$/components/booking/day_list";
import { LostTime } from "$/components/booking/lost_time";
import { ZoneSelect } from "$/components/booking/zone_select";
import { FieldError } from "$/components/ui/field";

export const ChooseTime = (props) => {
  const { time, view, words, none, failure } = props;
  const { slots, failed, lost } = view;
  const again = (event) => event.target.closest("button") && time.load();
  return (
    <section className="step">
      <p className="step-count">{fill(words.step, { step: 1, count: 2 })}</p>
      <h3 className="step-title" tabIndex={-1} data-arrival={lost ? undefined : ""}>{words.chooseTime}</h3>
      {lost && <LostTime {...props} />}
      <ZoneSelect {...props} />
      {slots ? (slots.length ? <Times {...props} /> : none) : failed ? <div role="alert" onClick={again}>{failure}</div> : <Skeleton words={words} />}
    </section>
  );
};

const Times = (props) => {
  const { time, view, host, words, saying } = props;
  const { slots, zone, choice, trouble, busy } = view;
  const isWide = useMedia("(width >= 48rem)");
  const days = useMemo(() => byDay(slots, zone), [slots, zone]);
  const chosen = slots.find(({ id }) => id === choice), chosenDay = chosen && dateIn(new Date(chosen.start), zone);
  const [shown, setShown] = useState("");
  const day = days.has(shown) ? shown : (chosenDay ?? days.keys().next().value);
  const here = saying.place(zone), there = saying.place(host), isSame = areSame(new Date(slots[0].start), zone, host);

  const submit = (event) => {
    event.preventDefault();
    if (!busy) time.hold();
  };
  return (
    <form className="times-form" onSubmit={submit} noValidate>
      <p className="times-clocks">{fill(isSame ? words.oneClock : words.twoClocks, { place: here, other: there })}</p>
      {isWide ? (
        <div className="month-and-day">
          <CalendarGrid days={days} shown={day} onShow={setShown} words={words} />
          <DayTimes {...props} date={day} slots={days.get(day)} />
        </div>
      ) : (
        <DayList {...props} days={days} first={chosenDay} />
      )}
      <div className="booking-bar">
        <div className="booking-chosen">
          {trouble && <div role="alert"><FieldError id="times" error={trouble} /></div>}
          {chosen && !trouble && <p>{momentWords(new Date(chosen.start), zone, host, saying)}</p>}
        </div>
        <button type="submit" className="button button-strong" data-busy={busy || undefined}>
          {busy && <span className="spinner" aria-hidden="true" />}
          {words.goOn}
        </button>
      </div>
    </form>
  );
};

// The slots by the visitor's days.
const byDay = (slots, zone) => {
  const days = new Map();
  for (const slot of slots) {
    const date = dateIn(new Date(slot.start), zone);
    days.set(date, [...(days.get(date) ?? []), slot]);
  }
  return days;
};

const Skeleton = ({ words }) => (
  <div aria-busy="true">
    <p className="sr-only" role="status">{words.loading}</p>
    <div className="times-skeleton" aria-hidden="true">
      {Array.from({ length: 2 }, (_, day) => <div key={day}>{Array.from({ length: 13 }, (_, at) => <i key={at} />)}</div>)}
    </div>
  </div>
);

const useMedia = (query) => {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query), look = () => setMatches(list.matches);
    look();
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, [query]);
  return matches;
};
