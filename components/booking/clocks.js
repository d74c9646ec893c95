// Moments in words, by the browser's own tables: the visitor's clock and the host's. The twin of site_app/i18n/clocks.py.
// `words` are the page's templates, with the language's tag; `place` gives a zone's name.
const DAY = 86400000;
const formats = new Map();

const format = (tag, timeZone, options) => {
  const key = JSON.stringify([tag, timeZone, options]);
  if (!formats.has(key)) {
    const british = tag === "en" ? "en-GB" : tag;
    formats.set(key, new Intl.DateTimeFormat(british, { timeZone, calendar: "gregory", numberingSystem: "latn", ...options }));
  }
  return formats.get(key);
};

export const fill = (template, values) => template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

// 2026-08-04: the day a moment falls on there, and the one that sorts and compares. Put together from its parts, for browsers do
// not agree on a locale that writes it so.
export const dateIn = (moment, zone) => {
  const parts = format("en", zone, { year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(moment);
  return ["year", "month", "day"].map((wanted) => parts.find(({ type }) => type === wanted).value).join("-");
};

// 周二 as in every calendar in Chinese, not 星期二.
const weekdayIn = (tag) => ({ weekday: tag.startsWith("zh") ? "short" : "long" });
const LONG = { day: "numeric", month: "long" };
export const dayWords = (moment, zone, tag, year) =>
  format(tag, zone, { ...weekdayIn(tag), ...LONG, ...(year && { year: "numeric" }) }).format(moment).replace(",", "");
export const timeWords = (moment, zone) => format("en", zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(moment);

// A date of the calendar, which is the same everywhere: "2026-08-04" is a Tuesday.
export const dateOf = (date) => new Date(`${date}T12:00:00Z`);
export const monthWords = (date, tag) => format(tag, "UTC", { month: "short" }).format(dateOf(date));
// 11月23日至12月27日, for which browsers have 11/23 – 12/27.
export const spanWords = (first, last, tag) => {
  const days = format(tag, "UTC", LONG), ends = [dateOf(first), dateOf(last)];
  return tag.startsWith("zh") ? ends.map((one) => days.format(one)).join("至") : days.formatRange(...ends);
};
export const plainDayWords = (date, tag) => dayWords(dateOf(date), "UTC", tag);
export const addDays = (date, days) => dateIn(new Date(dateOf(date).getTime() + days * DAY), "UTC");
export const weekdayOf = (date) => (dateOf(date).getUTCDay() + 6) % 7; // Monday is 0
const MONDAY = "2024-01-01";
// Monday to Sunday, long and short. The short ones come with the page's words: browsers do not agree on them.
export const weekdays = ({ tag, weekdays: short }) =>
  short.map((name, at) => [format(tag, "UTC", weekdayIn(tag)).format(dateOf(addDays(MONDAY, at))), name]);

// Minutes ahead of UTC there, at that moment.
export const offsetAt = (moment, zone) => {
  const name = format("en", zone, { timeZoneName: "longOffset" }).formatToParts(moment).find((part) => part.type === "timeZoneName").value;
  const [, sign, hours, minutes] = name.match(/([+-])(\d+):?(\d+)?/) ?? [0, "+", 0, 0];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
};
export const offsetWords = (minutes) => {
  const two = (number) => String(number).padStart(2, "0"), far = Math.abs(minutes);
  return `UTC${minutes < 0 ? "-" : "+"}${two(Math.floor(far / 60))}:${two(far % 60)}`;
};

// 09:00 London, with the weekday where it is not the other clock's.
const clock = (moment, zone, weekday, { words, place }) => {
  const values = { time: timeWords(moment, zone), place: place(zone), weekday: words.weekdays[weekdayOf(dateIn(moment, zone))] };
  return fill(weekday ? words.weekdayClock : words.clock, values);
};
export const areSame = (moment, zone, host) => offsetAt(moment, zone) === offsetAt(moment, host);
const weekdaysDiffer = (moment, zone, host) => dateIn(moment, zone) !== dateIn(moment, host);
export const hostClock = (moment, zone, host, saying) => clock(moment, host, weekdaysDiffer(moment, zone, host), saying);
export const bothClocks = (moment, zone, host, saying) => {
  if (areSame(moment, zone, host)) return clock(moment, host, false, saying);
  return `${clock(moment, zone, false, saying)} · ${hostClock(moment, zone, host, saying)}`; // below the visitor's own day
};
export const momentWords = (moment, zone, host, saying, year) =>
  fill(saying.words.dayClocks, { day: dayWords(moment, zone, saying.words.tag, year), clocks: bothClocks(moment, zone, host, saying) });

// The day within a week of this one on which clocks change there, if they do.
export const changeNear = (date, zone) => {
  const noon = dateOf(date).getTime();
  for (let at = -7; at < 7; at += 1) {
    const before = new Date(noon + at * DAY), after = new Date(noon + (at + 1) * DAY);
    if (offsetAt(before, zone) !== offsetAt(after, zone)) return after;
  }
  return null;
};
