// Tells the visitor who was brought home that the page asked for is not there: the address says so, and then no longer.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { say } from "$/components/frame/snackbar";

export const NOT_FOUND = "#page-not-found";

export const PageNotFound = ({ text }) => {
  const at = useLocation(), words = useRef(text);
  words.current = text;
  useEffect(() => {
    if (at.hash !== NOT_FOUND) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    say({ type: "warning", text: words.current });
  }, [at]);
  return null;
};
