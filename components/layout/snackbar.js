// Hands what a state says on to the page, and tells the state that it was: it would be said anew on the next page.
import { useEffect, useRef } from "react";
import { say } from "$/components/browser/page_events";

export const Snackbar = ({ show, type, text, timeout, content, showActionButton, action, serial, onShow }) => {
  const shown = useRef(onShow);
  shown.current = onShow;
  useEffect(() => {
    if (!show) return;
    const run = () => dispatchEvent(new CustomEvent("snackbar-action", { detail: { action } }));
    say({ type, text, timeout, content, action: showActionButton ? { run } : undefined });
    shown.current(serial);
  }, [show, serial]);
  return null;
};
