// The coming weeks to find a day in, by the ARIA pattern of a grid: arrows go from one free day to the next.
import { useEffect, useRef, useState } from "react";
import { addDays, fill, monthWords, plainDayWords, spanWords, weekdayOf, weekdays } from "$/components/booking/clocks";

const WEEKS = 6; // at once; a month's horizon is never more
const PAGE = 28; // days by which Page Up and Page Down go
const mondayOf = (date) => addDays(date, -weekdayOf(date));
const weekFrom = (monday) => Array.from({ length: 7 }, (_, at) => addDays(monday, at));

// From the week of the first free day to that of the last.
const weeksOf = (dates) => {
  const weeks = [];
  for (let monday = mondayOf(dates[0]); monday <= dates.at(-1); monday = addDays(monday, 7)) weeks.push(weekFrom(monday));
  return weeks;
};

export const CalendarGrid = ({ days, shown, onShow, words }) => {
  const dates = [...days.keys()], all = weeksOf(dates);
  const sheetOf = (date) => Math.floor(all.findIndex((week) => week.includes(date)) / WEEKS);
  const [sheet, setSheet] = useState(() => sheetOf(shown)), [stop, setStop] = useState(shown);
  const table = useRef(null), moved = useRef(false);
  const last = Math.ceil(all.length / WEEKS) - 1, at = Math.min(sheet, last);
  const weeks = all.slice(at * WEEKS, (at + 1) * WEEKS), inView = weeks.flat();
  const reachable = days.has(stop) && inView.includes(stop) ? stop : inView.find((date) => days.has(date));

  useEffect(() => setSheet(sheetOf(shown)), [shown]);
  useEffect(() => {
    if (moved.current) table.current.querySelector(`[data-date="${reachable}"]`)?.focus();
    moved.current = false;
  }, [reachable, at]);

  // The first free day from `date` on, in the direction of `step`.
  const free = (date, step) => {
    for (let day = date; day >= dates[0] && day <= dates.at(-1); day = addDays(day, step)) if (days.has(day)) return day;
    return null;
  };
  const key = (event) => {
    const from = event.target.dataset.date;
    const target = from && {
      ArrowRight: () => free(addDays(from, 1), 1),
      ArrowLeft: () => free(addDays(from, -1), -1),
      ArrowDown: () => free(addDays(from, 7), 1),
      ArrowUp: () => free(addDays(from, -7), -1),
      Home: () => free(mondayOf(from), 1),
      End: () => free(addDays(mondayOf(from), 6), -1),
      PageDown: () => free(addDays(from, PAGE), 1) ?? dates.at(-1),
      PageUp: () => free(addDays(from, -PAGE), -1) ?? dates[0],
    }[event.key];
    if (!target || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const date = target();
    if (!date || date === from) return;
    moved.current = true;
    setStop(date);
    setSheet(sheetOf(date));
  };
  const show = (date) => {
    setStop(date);
    onShow(date);
  };

  return (
    <div className="calendar">
      <div className="calendar-head">
        <p className="calendar-span" id="calendar-span" aria-live="polite">{spanWords(inView[0], inView.at(-1), words.tag)}</p>
        {last > 0 && <Turn label={words.earlier} path={BACK} ends={at === 0} onClick={() => setSheet(at - 1)} />}
        {last > 0 && <Turn label={words.later} path={ON} ends={at === last} onClick={() => setSheet(at + 1)} />}
      </div>
      <table role="grid" aria-labelledby="calendar-span" ref={table} onKeyDown={key}>
        <thead>
          <tr>{weekdays(words).map(([long, short]) => <th key={long} scope="col" abbr={long}>{short}</th>)}</tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <td key={date} role="gridcell" aria-selected={days.has(date) ? date === shown : undefined}>
                  <Day {...{ date, words, count: days.get(date)?.length, first: date === inView[0], stops: date === reachable, onShow: show }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Day = ({ date, words, count, first, stops, onShow }) => {
  const day = Number(date.slice(8));
  const inside = (
    <>
      {day}
      {(day === 1 || first) && <small>{monthWords(date, words.tag)}</small>}
    </>
  );
  if (!count) return <span className="calendar-none">{inside}</span>;
  const name = fill(words.dayFree, { day: plainDayWords(date, words.tag), count });
  return (
    <button type="button" className="calendar-day" data-date={date} tabIndex={stops ? 0 : -1} aria-label={name} onClick={() => onShow(date)}>
      {inside}
    </button>
  );
};

const BACK = "M15.41 16.58 10.83 12l4.58-4.59L14 6l-6 6 6 6 1.41-1.42Z", ON = "M8.59 16.58 13.17 12 8.59 7.41 10 6l6 6-6 6-1.41-1.42Z";

const Turn = ({ label, path, ends, onClick }) => (
  <button type="button" className="icon-button" aria-label={label} aria-disabled={ends || undefined} onClick={() => ends || onClick()}>
    <svg className="a-icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d={path} /></svg>
  </button>
);
