// The coming weeks to find a day in, by the ARIA pattern of a grid: arrows go from one free day to the next.
import { useEffect, useRef, useState } from "react";

const PAGE = 28; // days by which Page Up and Page Down go
const later = (date, days) => new Date(Date.parse(date) + days * 86400000).toISOString().slice(0, 10);
const mondayOf = (date) => later(date, -((new Date(date).getUTCDay() + 6) % 7));

export const CalendarGrid = ({ free: { days, sheets }, shown, onShow, words }) => {
  const dates = days.map(({ date }) => date), labels = new Map(days.map(({ date, label }) => [date, label]));
  const has = (sheet, wanted) => sheet.weeks.flat().some(({ date }) => date === wanted);
  const sheetOf = (date) => Math.max(0, sheets.findIndex((sheet) => has(sheet, date)));
  const [at, setAt] = useState(() => sheetOf(shown)), [stop, setStop] = useState(shown);
  const table = useRef(null), moved = useRef(false), sheet = sheets[at] ?? sheets[0];
  const reachable = labels.has(stop) && has(sheet, stop) ? stop : dates.find((date) => has(sheet, date));

  useEffect(() => setAt(sheetOf(shown)), [shown, sheets]);
  useEffect(() => {
    if (moved.current) table.current.querySelector(`[data-date="${reachable}"]`)?.focus();
    moved.current = false;
  }, [reachable, at]);

  const from = (date) => dates.find((one) => one >= date), until = (date) => dates.filter((one) => one <= date).at(-1);
  const key = (event) => {
    const { date } = event.target.dataset;
    const target = date && {
      ArrowRight: () => from(later(date, 1)),
      ArrowLeft: () => until(later(date, -1)),
      ArrowDown: () => from(later(date, 7)),
      ArrowUp: () => until(later(date, -7)),
      Home: () => from(mondayOf(date)),
      End: () => until(later(mondayOf(date), 6)),
      PageDown: () => from(later(date, PAGE)) ?? dates.at(-1),
      PageUp: () => until(later(date, -PAGE)) ?? dates[0],
    }[event.key];
    if (!target || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const to = target() ?? date;
    moved.current = to !== date;
    setStop(to);
    setAt(sheetOf(to));
  };
  const show = (date) => {
    setStop(date);
    onShow(date);
  };

  return (
    <div className="calendar">
      <div className="calendar-head">
        <p className="calendar-span" id="calendar-span" aria-live="polite">{sheet.words}</p>
        {sheets.length > 1 && <Turn label={words.earlier} path={BACK} ends={at === 0} onClick={() => setAt(at - 1)} />}
        {sheets.length > 1 && <Turn label={words.later} path={ON} ends={at === sheets.length - 1} onClick={() => setAt(at + 1)} />}
      </div>
      <table role="grid" aria-labelledby="calendar-span" ref={table} onKeyDown={key}>
        <thead>
          <tr>{words.weekdays.map(([long, short]) => <th key={long} scope="col" abbr={long}>{short}</th>)}</tr>
        </thead>
        <tbody>
          {sheet.weeks.map((week) => (
            <tr key={week[0].date}>
              {week.map(({ date, month }) => (
                <td key={date} role="gridcell" aria-selected={labels.has(date) ? date === shown : undefined}>
                  <Day {...{ date, month, label: labels.get(date), stops: date === reachable, onShow: show }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Day = ({ date, month, label, stops, onShow }) => {
  const inside = <>{Number(date.slice(8))}{month && <small>{month}</small>}</>;
  if (!label) return <span className="calendar-none">{inside}</span>;
  return (
    <button type="button" className="calendar-day" data-date={date} tabIndex={stops ? 0 : -1} aria-label={label} onClick={() => onShow(date)}>
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
