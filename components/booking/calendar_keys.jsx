// Keyboard control of a grid of days, by the ARIA pattern: arrow keys move between free days, and Tab leaves the grid. Not in Python,
// because the focus must follow each key at once.
import { useEffect, useRef } from "react";

const DAY_MS = 86_400_000;
const PAGE_DAYS = 28; // how far Page Up and Page Down move
const dateAfter = (date, days) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
const mondayOf = (date) => dateAfter(date, -((new Date(date).getUTCDay() + 6) % 7));

/** `dates` are all free days; `onBeyond` is called for those in weeks that are not shown. `shownDay` is the day that Tab enters first. */
export const CalendarKeys = ({ dates, shownDay, onBeyond, children }) => {
  const grid = useRef(null);
  const dayToFocus = useRef("");
  const buttonOf = (date) => grid.current.querySelector(`[data-date="${date}"]`);
  const setTabStop = (stop) => {
    for (const button of grid.current.querySelectorAll("[data-date]")) {
      button.tabIndex = button === stop ? 0 : -1;
    }
  };

  useEffect(() => {
    const button = buttonOf(dayToFocus.current);
    if (button) {
      dayToFocus.current = "";
      button.focus();
    }
    const current = document.activeElement?.closest("[data-date]");
    setTabStop(grid.current.contains(current) ? current : (buttonOf(shownDay) ?? grid.current.querySelector("[data-date]")));
  }); // after each render, because the state may have replaced the days

  const onKeyDown = (event) => {
    const { date } = event.target.dataset;
    const firstFreeFrom = (day) => dates.find((free) => free >= day);
    const lastFreeUntil = (day) => dates.filter((free) => free <= day).at(-1);
    const target =
      date &&
      {
        ArrowRight: () => firstFreeFrom(dateAfter(date, 1)),
        ArrowLeft: () => lastFreeUntil(dateAfter(date, -1)),
        ArrowDown: () => firstFreeFrom(dateAfter(date, 7)),
        ArrowUp: () => lastFreeUntil(dateAfter(date, -7)),
        Home: () => firstFreeFrom(mondayOf(date)),
        End: () => lastFreeUntil(dateAfter(mondayOf(date), 6)),
        PageDown: () => firstFreeFrom(dateAfter(date, PAGE_DAYS)) ?? dates.at(-1),
        PageUp: () => lastFreeUntil(dateAfter(date, -PAGE_DAYS)) ?? dates[0],
      }[event.key];
    if (!target || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.preventDefault();
    const day = target() ?? date;
    const button = buttonOf(day);
    if (button) {
      return button.focus();
    }
    dayToFocus.current = day;
    onBeyond(day);
  };
  const onFocus = ({ target }) => target.dataset.date && setTabStop(target);
  return (
    <div ref={grid} onKeyDown={onKeyDown} onFocus={onFocus}>
      {children}
    </div>
  );
};
