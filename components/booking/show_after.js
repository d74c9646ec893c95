// Shows its children after some seconds, as an alternative to waiting. Not in Python, because it must work while the server does not respond.
import { useEffect, useState } from "react";

/** Shows `children` once `seconds` have passed. */
export const ShowAfter = ({ seconds, children }) => {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return isDue ? children : null;
};
