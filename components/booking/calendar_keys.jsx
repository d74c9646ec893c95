// Keyboard control of a grid of days, by the ARIA pattern: arrow keys move between free days, and Tab leaves the grid. Not in Python,
// because the focus must follow each key at once.
import { useEffect, useRef } from "react";

const DAY_MS = 86_400_000;
const PAGE_DAYS = 28; // how far Page Up and Page Down move
const dateAfter = (date, days) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
const mondayOf = (date) => dateAfter(date, -((new Date(date).getUTCDay() + 6) % 7));

// Returns the free day to which a key leads from a day: the day itself if there is none, undefined for other keys.
const dayAfterKey = (key, day, freeDays) => {
  const firstFrom = (date) => freeDays.find((free) => free >= date);
  const lastUntil = (date) => freeDays.filter((free) => free <= date).at(-1);
  const targets = {
    ArrowRight: () => firstFrom(dateAfter(day, 1)),
    ArrowLeft: () => lastUntil(dateAfter(day, -1)),
    ArrowDown: () => firstFrom(dateAfter(day, 7)),
    ArrowUp: () => lastUntil(dateAfter(day, -7)),
    Home: () => firstFrom(mondayOf(day)),
    End: () => lastUntil(dateAfter(mondayOf(day), 6)),
    PageDown: () => firstFrom(dateAfter(day, PAGE_DAYS)) ?? freeDays.at(-1),
    PageUp: () => lastUntil(dateAfter(day, -PAGE_DAYS)) ?? freeDays[0],
  };
  return key in targets ? (targets[key]() ?? day) : undefined;
};

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
    const day = date && dayAfterKey(event.key, date, dates);
    if (!day || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.preventDefault();
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
