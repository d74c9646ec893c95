// Shows something only after a while. Not in Python, because it must work while the server does not respond.
import { useEffect, useState } from "react";

/** Shows `children` once `seconds` have passed. */
export const ShowAfter = ({ seconds, children }) => {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return isDue ? children : null;
};
