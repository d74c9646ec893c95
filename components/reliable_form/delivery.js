// How and where a form sends: the event, the HTTP call, and the messages on the page.
import { useRef } from "react";
import { hideMessage, runAction, showMessage } from "$/components/messages/events";

/**
 * Returns a function that returns the delivery of a submission by the form's props; called for each submission, because texts change with the
 * language. What the submission calls later, such as `report`, uses the texts and handlers of that time.
 * @returns {() => import("./submission.js").Delivery}
 */
export const useDelivery = (props, formRef) => {
  const { name, formId: id, api, call, tokenCall, filesCall, apiKey, language, langTag, words, timeoutMs, socketDown } = props;
  const latest = useRef(null);
  latest.current = props;
  return () => ({
    api,
    call,
    tokenCall,
    filesCall,
    apiKey,
    tag: langTag,
    language,
    words,
    page: location.pathname,
    timeoutMs: socketDown ? 0 : timeoutMs,
    honeypot: formRef.current?.querySelector("[data-honeypot] input")?.name,
    isVisible: (field) => isVisible(field, { form: formRef.current, id, outerFields: latest.current.outerFields }),
    sendEvent: (values, key, attempt) => latest.current.onSend(values, key, attempt),
    report: (outcome, { byHttp }) => report(outcome, { byHttp, name, words: latest.current.words }),
  });
};

// Returns true if an error of the field would be visible: in the form, or in the component around it.
const isVisible = (name, { form, id, outerFields }) => {
  const field = form?.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden], [data-honeypot] *)`);
  return Boolean(form) && Boolean(field || outerFields?.includes(name) || document.getElementById(`${id}-${name}`));
};

// Shows a message about the outcome, unless the form's state, which answers over the socket, has already shown it.
const report = (outcome, { byHttp, name, words }) => {
  if (outcome !== "failed") {
    hideMessage(words.failed);
  }
  if (!byHttp || outcome === "refused") {
    return; // errors are shown in the form
  }
  if (outcome === "sent") {
    showMessage({ type: "success", text: words.sent });
  } else {
    showMessage({ type: "error", text: words.failed, action: { run: () => runAction(`submit:${name}`) } });
  }
};
