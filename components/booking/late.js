// Shows its children after some seconds: a way out of a wait. It is not Python because the server is what is waited for.
import { useEffect, useState } from "react";

export const Late = ({ seconds, children }) => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return isLate ? children : null;
};
