// Keyboard control of a grid of days, by the ARIA pattern: arrow keys move between free days, and Tab leaves the grid. Not in Python,
// because the focus must follow each key at once.
import { createElement, useEffect, useRef } from "react";

const PAGE = 28; // days that Page Up and Page Down move
const dateAfter = (date, days) => new Date(Date.parse(date) + days * 86400000).toISOString().slice(0, 10);
const mondayOf = (date) => dateAfter(date, -((new Date(date).getUTCDay() + 6) % 7));

/** `dates` are all free days; `onBeyond` is called for those in weeks that are not shown. `shownDay` is the day that Tab enters first. */
export const CalendarKeys = ({ dates, shownDay, onBeyond, children }) => {
  const grid = useRef(null);
  const awaited = useRef("");
  const buttonOf = (date) => grid.current.querySelector(`[data-date="${date}"]`);
  const setTabStop = (stop) => {
    for (const button of grid.current.querySelectorAll("[data-date]")) {
      button.tabIndex = button === stop ? 0 : -1;
    }
  };

  useEffect(() => {
    const focus = buttonOf(awaited.current);
    if (focus) {
      awaited.current = "";
      focus.focus();
    }
    const current = document.activeElement?.closest("[data-date]");
    setTabStop(grid.current.contains(current) ? current : (buttonOf(shownDay) ?? grid.current.querySelector("[data-date]")));
  });

  const onKeyDown = (event) => {
    const { date } = event.target.dataset;
    const from = (day) => dates.find((free) => free >= day);
    const until = (day) => dates.filter((free) => free <= day).at(-1);
    const target =
      date &&
      {
        ArrowRight: () => from(dateAfter(date, 1)),
        ArrowLeft: () => until(dateAfter(date, -1)),
        ArrowDown: () => from(dateAfter(date, 7)),
        ArrowUp: () => until(dateAfter(date, -7)),
        Home: () => from(mondayOf(date)),
        End: () => until(dateAfter(mondayOf(date), 6)),
        PageDown: () => from(dateAfter(date, PAGE)) ?? dates.at(-1),
        PageUp: () => until(dateAfter(date, -PAGE)) ?? dates[0],
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
    awaited.current = day;
    onBeyond(day);
  };
  const onFocus = ({ target }) => target.dataset.date && setTabStop(target);
  return createElement("div", { ref: grid, onKeyDown, onFocus }, children);
};
