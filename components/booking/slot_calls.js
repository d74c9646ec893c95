// The questions about slots: as an event to their state, whose answer comes back as its fields; where the socket is down or silent, by HTTP.
import { at, complain } from "$/components/reliable_form/backend";

const PATIENCE = 4000; // milliseconds
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
const waiting = new Map(); // who waits, by what for: the number of a question, or LIST

// What the state says, whichever of our questions it answers.
export const hear = (key, answer) => {
  for (const resolve of waiting.get(key) ?? []) resolve(answer);
  waiting.delete(key);
};
export const hearSlots = (slots) => hear(LIST, { slots });
const LIST = "slots";
const heard = (key) => new Promise((resolve) => waiting.set(key, [...(waiting.get(key) ?? []), resolve]));

let number = Date.now();
const either = async (way, key, tell, byHttp) => {
  if (way.socketDown) return byHttp();
  const answer = heard(key);
  tell();
  return (await Promise.race([answer, sleep(PATIENCE)])) ?? byHttp();
};

const CALLS = { hold: "holdSlot", extend: "extendHold" };

// {outcome: held | refused | none, seconds, message}: none where nobody can hold it, and it can be booked all the same.
export const ask = (way, kind, said) => {
  const question = ++number;
  return either(way, question, () => way.tell(kind, said, question), () => held(way, CALLS[kind], said));
};
const held = async (way, call, said) => {
  try {
    const answer = await post(way, call, said);
    if (answer.status === 409) return { outcome: "refused", message: (await answer.json()).error.message };
    if (answer.status !== 200) return { outcome: "none" };
    const told = await answer.json();
    // By the server's own clock: a visitor's may be wrong.
    const now = Date.parse(answer.headers.get("date")) || Date.now();
    return { outcome: "held", seconds: Math.max(0, (Date.parse(told.expires_at) - now) / 1000) };
  } catch (error) {
    complain(call, error);
    return { outcome: "none" };
  }
};

// The free slots, or null.
export const load = async (way, hold) => {
  const told = await either(way, LIST, () => way.tell("load", { hold }), () => listed(way, hold));
  return told.slots;
};
const listed = async (way, hold) => {
  try {
    const answer = await post(way, "meetingSlots", hold ? { hold } : {});
    return { slots: answer.ok ? ((await answer.json()).results ?? []) : null };
  } catch (error) {
    complain("meetingSlots", error);
    return { slots: null };
  }
};

const post = ({ apiKey, words }, call, said) =>
  fetch(at(`/v1.0/${call}`), {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Accept-Language": words.tag, "Content-Type": "application/json" },
    body: JSON.stringify(said),
    signal: AbortSignal.timeout(6000),
  });

// Gives a hold back: through the state, or by a beacon where nobody could wait for the socket.
export const give = (way, hold) => {
  if (way && !way.socketDown) way.tell("release", { hold });
  else navigator.sendBeacon(at("/v1.0/releaseHold"), JSON.stringify({ hold }));
};
