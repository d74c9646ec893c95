// Passes a state's message on to the page and reports that it was shown, because the next page would otherwise show it again. Also reports
// messages that the page shows by itself.
import { useEffect, useEffectEvent } from "react";
import { hideMessage, runAction, showMessage, SNACKBAR } from "$/components/messages/events";
import { refs } from "$/utils/state";

// Shows the toasts of rx.toast as messages of the page. Reflex passes a text that is a var as the title.
const shownToasts = new Map(); // by the id of the toast
const toast =
  (type) =>
  (message, options = {}) => {
    const { title = message, description = "", duration, action, cancel, onDismiss, onAutoClose } = options;
    const { id = `${title}` } = options;
    const entry = { ...options, id, type, title: `${title}` };
    const end = (callback) => {
      // a later toast with this id has taken its place
      if (shownToasts.get(id) === entry) {
        shownToasts.delete(id);
        callback?.(entry);
      }
    };
    const asButton = (button) => button && { label: button.label, run: () => end(button.onClick) };
    shownToasts.set(id, entry);
    showMessage({
      type,
      text: entry.title,
      content: description,
      action: asButton(action),
      cancel: asButton(cancel),
      onDismiss: () => end(onDismiss),
      onExpire: () => end(onAutoClose),
      ...(duration !== undefined && { timeout: duration }),
    });
    return id;
  };
const dismiss = (id = undefined) => {
  const dismissed = id === undefined ? [...shownToasts.values()] : [shownToasts.get(id)].filter(Boolean);
  for (const entry of dismissed) {
    shownToasts.delete(entry.id);
    hideMessage(entry.title);
    entry.onDismiss?.(entry);
  }
};
// Says in the page's language that a handler in Python has failed; `content` is empty in production.
const showFailure = (content) => showMessage({ type: "error", word: "failed", content, fromState: true });
const toasts = Object.assign(toast("info"), {
  message: toast("info"),
  info: toast("info"),
  loading: toast("info"),
  success: toast("success"),
  warning: toast("warning"),
  error: toast("error"),
  dismiss,
});

/** Passes the newest message of a state on to the page, and reports messages that the page shows by itself. Renders nothing. */
export const Snackbar = ({ message, action, serial, onShow, onOwn }) => {
  const showNewest = useEffectEvent(() => {
    const { show, type, text, timeout, content, show_action_button: hasButton } = message;
    if (!show) {
      return;
    }
    const run = () => runAction(action);
    showMessage({ type, text, timeout, content, action: hasButton ? { run } : undefined, fromState: true });
    onShow(serial);
  });
  const report = useEffectEvent(({ fromState, text, type, timeout = 0, content = "", action: button }) => {
    if (!fromState) {
      onOwn(text, type, timeout, content, Boolean(button));
    }
  });

  useEffect(() => {
    if (serial) {
      showNewest();
    }
  }, [serial]);
  useEffect(() => {
    refs.__toast ??= toasts; // unless the page has rx.toast.provider()
    refs.__failure = showFailure;
  }, []);
  useEffect(() => {
    const onMessage = ({ detail }) => report(detail);
    addEventListener(SNACKBAR, onMessage);
    return () => removeEventListener(SNACKBAR, onMessage);
  }, []);
  return null;
};
