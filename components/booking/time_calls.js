// What is asked about times: which are free, and that one of them is held.
import { at, complain } from "$/components/reliable_form/backend";

const PATIENCE = 6000; // milliseconds; the server itself gives up after five seconds

const post = (address, body, headers = {}) =>
  fetch(at(address), { method: "POST", headers, body, signal: AbortSignal.timeout(PATIENCE) });

// The free times in words, as FreeTimes in site_app/contracts/days.py has them; null where they cannot be had.
export const freeTimes = async (address, said) => {
  try {
    const answer = await post(address, new URLSearchParams(said));
    if (answer.ok) return await answer.json();
    complain("meetingSlots", `status ${answer.status}`); // the browser's own line names the site's address, not the call
    return null;
  } catch (error) {
    complain("meetingSlots", error);
    return null;
  }
};

// {outcome: held | refused | none, seconds, message}: none where nobody can hold it, and it can be booked all the same.
export const askToHold = async (said, { apiKey, words }) => {
  try {
    const headers = { "X-API-Key": apiKey, "Accept-Language": words.tag, "Content-Type": "application/json" };
    const answer = await post("/v1.0/holdSlot", JSON.stringify(said), headers);
    if (answer.status === 409) return { outcome: "refused", message: (await answer.json()).error.message };
    if (answer.status !== 200) return { outcome: "none" };
    const { expires_at: end } = await answer.json();
    const now = Date.parse(answer.headers.get("date")) || Date.now(); // by the server's own clock: a visitor's may be wrong
    return { outcome: "held", seconds: Math.max(0, (Date.parse(end) - now) / 1000) };
  } catch (error) {
    complain("holdSlot", error);
    return { outcome: "none" };
  }
};

// By a beacon, which leaves even when the page goes.
export const release = (hold) => navigator.sendBeacon(at(`/v1.0/releaseHold`), JSON.stringify({ hold }));
