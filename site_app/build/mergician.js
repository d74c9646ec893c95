// Stands in for mergician, of which Reflex calls one form: two plain objects, the second's own keys winning, all the way down.
const isPlain = (value) => value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;

export const mergician = (one, other) => {
  const merged = { ...one };
  for (const [key, value] of Object.entries(other)) {
    merged[key] = isPlain(value) && isPlain(one[key]) ? mergician(one[key], value) : value;
  }
  return merged;
};
