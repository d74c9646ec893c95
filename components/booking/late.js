// Shows its children after some seconds, as an alternative to waiting. Not in Python, because it must work while the server does not respond.
import { useEffect, useState } from "react";

export const Late = ({ seconds, children }) => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return isLate ? children : null;
};
