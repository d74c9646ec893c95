// A month to find a day in, by the ARIA pattern of a grid: arrows go from one free day to the next, Page Up and Down by months.
import { useEffect, useRef, useState } from "react";
import { addDays, dateOf, fill, monthWords, plainDayWords, weekdays } from "$/components/booking/clocks";

const monthOf = (date) => date.slice(0, 7);
const weekdayOf = (date) => (dateOf(date).getUTCDay() + 6) % 7; // Monday is 0
const nextMonth = (month, step) => addDays(`${month}-15`, 30 * step).slice(0, 7);

// The weeks of a month from Monday, without the days of its neighbours.
const weeksOf = (month) => {
  const first = `${month}-01`, start = addDays(first, -weekdayOf(first));
  const weeks = [];
  for (let monday = start; monthOf(monday) <= month; monday = addDays(monday, 7)) {
    const week = Array.from({ length: 7 }, (_, at) => addDays(monday, at));
    weeks.push(week.map((date) => (monthOf(date) === month ? date : "")));
  }
  return weeks;
};

export const CalendarGrid = ({ days, shown, onShow, words }) => {
  const dates = [...days.keys()], first = monthOf(dates[0]), last = monthOf(dates.at(-1));
  const [month, setMonth] = useState(monthOf(shown)), [stop, setStop] = useState(shown);
  const table = useRef(null), moved = useRef(false);
  const reachable = monthOf(stop) === month && days.has(stop) ? stop : dates.find((date) => monthOf(date) === month);

  useEffect(() => setMonth(monthOf(shown)), [shown]);
  useEffect(() => {
    if (moved.current) table.current.querySelector(`[data-date="${reachable}"]`)?.focus();
    moved.current = false;
  }, [reachable, month]);

  const go = (date) => {
    moved.current = true;
    setStop(date);
    setMonth(monthOf(date));
  };
  // The first free day from `date` on, in the direction of `step`.
  const free = (date, step) => {
    for (let at = date; at >= dates[0] && at <= dates.at(-1); at = addDays(at, step)) if (days.has(at)) return at;
    return null;
  };
  const key = (event) => {
    const from = event.target.dataset.date;
    const target = from && {
      ArrowRight: () => free(addDays(from, 1), 1),
      ArrowLeft: () => free(addDays(from, -1), -1),
      ArrowDown: () => free(addDays(from, 7), 1),
      ArrowUp: () => free(addDays(from, -7), -1),
      Home: () => free(addDays(from, -weekdayOf(from)), 1),
      End: () => free(addDays(from, 6 - weekdayOf(from)), -1),
      PageDown: () => dates.find((date) => monthOf(date) > monthOf(from)),
      PageUp: () => dates.find((date) => monthOf(date) === nextMonth(monthOf(from), -1)),
    }[event.key];
    if (!target || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const date = target();
    if (date) go(date);
  };
  const turn = (step, label, path) => {
    const isLast = month === (step < 0 ? first : last);
    return (
      <button type="button" className="icon-button" aria-label={label} aria-disabled={isLast || undefined} onClick={() => isLast || setMonth(nextMonth(month, step))}>
        <svg className="a-icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d={path} /></svg>
      </button>
    );
  };

  return (
    <div className="calendar">
      <div className="calendar-head">
        <p className="calendar-month" id="calendar-month" aria-live="polite">{monthWords(month, words.tag)}</p>
        {turn(-1, words.earlier, "M15.41 16.58 10.83 12l4.58-4.59L14 6l-6 6 6 6 1.41-1.42Z")}
        {turn(1, words.later, "M8.59 16.58 13.17 12 8.59 7.41 10 6l6 6-6 6-1.41-1.42Z")}
      </div>
      <table role="grid" aria-labelledby="calendar-month" ref={table} onKeyDown={key}>
        <thead>
          <tr>{weekdays(words.tag).map(([long, short]) => <th key={long} scope="col" abbr={long}>{short}</th>)}</tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week, at) => (
            <tr key={at}>
              {week.map((date, weekday) => {
                const isShown = date !== "" && date === shown;
                return (
                  <td key={weekday} role="gridcell" aria-selected={days.has(date) ? isShown : undefined}>
                    {days.has(date) ? (
                      <button
                        type="button" className="calendar-day" data-date={date} tabIndex={date === reachable ? 0 : -1} onClick={() => (setStop(date), onShow(date))}
                        aria-label={fill(words.dayFree, { day: plainDayWords(date, words.tag), count: days.get(date).length })}
                      >
                        {Number(date.slice(8))}
                      </button>
                    ) : (
                      date && <span className="calendar-none">{Number(date.slice(8))}</span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
