// The time zones by the place they are named after. A row is [zone, country, city]; the city only where the zone's own name is not it.
import { fill, offsetAt, offsetWords } from "$/components/booking/clocks";

const ofName = (zone) => zone.split("/").pop().replaceAll("_", " ");

export const visitorsZone = () => {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  } catch {
    return "UTC";
  }
};

// Browsers know some zones by old names, such as Asia/Calcutta: the row is found by what they make of ours.
export const rowZone = (zone, rows) => {
  if (rows.some(([name]) => name === zone)) return zone;
  const meant = rows.find(([name]) => canonical(name) === canonical(zone));
  return meant ? meant[0] : zone;
};
const canonical = (zone) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone; // newer than the browser
  }
};

// A zone may go by two cities, to be found by either (北京、上海); its time is called after the first.
const citiesIn = (rows) => {
  const cities = new Map(rows.map(([zone, , city]) => [zone, city ?? ofName(zone)]));
  return (zone) => cities.get(zone) ?? ofName(zone);
};
export const placeIn = (rows) => {
  const cities = citiesIn(rows);
  return (zone) => cities(zone).split("、")[0];
};

// Bangkok, Thailand (UTC+07:00), as it is on that day.
export const zoneOptions = (rows, moment, { tag, zoneCity, zoneCountry }) => {
  const countries = new Intl.DisplayNames([tag], { type: "region", fallback: "code" }), cities = citiesIn(rows);
  const option = ([zone, country]) => {
    const city = cities(zone), where = country ? countries.of(country) : "";
    const values = { city, country: where, offset: offsetWords(offsetAt(moment, zone)) };
    return { value: zone, label: fill(where && where !== city ? zoneCountry : zoneCity, values) };
  };
  const known = rows.filter(([zone]) => isKnown(zone)).map(option), order = new Intl.Collator(tag);
  return known.sort((one, other) => order.compare(one.label, other.label));
};
const isKnown = (zone) => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: zone }));
  } catch {
    return false;
  }
};
