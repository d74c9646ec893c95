// Passes a state's message on to the page and reports that it was shown, because the next page would otherwise show it again. Also reports
// messages that the page shows by itself.
import { useEffect, useRef } from "react";
import { showMessage } from "$/components/browser/page_events";

export const Snackbar = ({ message, action, serial, onShow, onOwn }) => {
  const latestOnShow = useRef(onShow);
  const latestOnOwn = useRef(onOwn);
  latestOnShow.current = onShow;
  latestOnOwn.current = onOwn;

  useEffect(() => {
    const { show, type, text, timeout, content, show_action_button: hasButton } = message;
    if (!show || !serial) {
      return;
    }
    const run = () => dispatchEvent(new CustomEvent("snackbar-action", { detail: { action } }));
    showMessage({ type, text, timeout, content, action: hasButton ? { run } : undefined, fromState: true });
    latestOnShow.current(serial);
  }, [serial]);
  useEffect(() => {
    const report = ({ detail: { fromState, text, type, timeout = 0, content = "", action: button } }) => {
      if (!fromState) {
        latestOnOwn.current(text, type, timeout, content, Boolean(button));
      }
    };
    addEventListener("snackbar", report);
    return () => removeEventListener("snackbar", report);
  }, []);
  return null;
};
