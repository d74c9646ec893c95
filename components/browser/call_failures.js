// Failed calls that a handler in Python made: the browser's console shows only those that the browser made.
import { useEffect, useRef } from "react";
import { logFailure } from "$/components/reliable_form/backend";

/** Logs failed calls of the server to the console; `counts` is their number by call, including those before this page was loaded. */
export const CallFailures = ({ counts, hydrated }) => {
  const reported = useRef(null);
  useEffect(() => {
    if (!hydrated) {
      return;
    }
    for (const [call, count] of Object.entries(counts)) {
      if (reported.current && count > (reported.current[call] ?? 0)) {
        logFailure(call, "Network Error");
      }
    }
    reported.current = counts;
  }, [counts, hydrated]);
  return null;
};
