// The API over plain HTTP: what a form falls back to when its socket is silent.
import { at, complain, doWithout } from "$/components/reliable_form/backend";

const LONGEST_ANSWER = 6000; // milliseconds; the server itself gives up after five seconds
const STALLED = 20000; // milliseconds without progress after which an upload is given up
const RETRY_STATUSES = [429, 500, 502, 503, 504];

const callAt = ({ api }, call) => at(`${api}/${call}`);
const headersOf = ({ apiKey, tag }) => ({ ...(apiKey && { "X-API-Key": apiKey }), ...(tag && { "Accept-Language": tag }) });
const ask = (delivery, call) =>
  fetch(callAt(delivery, call), { headers: headersOf(delivery), signal: AbortSignal.timeout(LONGEST_ANSWER) });

/**
 * An answer as a form's state would give it: sent, or refused; null where there is none and asking again may help. A success is told
 * by its status alone: what a provider says beside it may be nothing, and what was taken is not sent again.
 */
export const post = async (delivery, request) => {
  try {
    const headers = { ...headersOf(delivery), "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(LONGEST_ANSWER);
    const answer = await fetch(callAt(delivery, delivery.call), { method: "POST", headers, body: bodyOf(request), signal });
    const payload = await jsonOf(answer);
    const isQuarantined = payload.quarantined === true;
    const isMailed = payload.mailed !== false;
    if (answer.ok) {
      return {
        outcome: "sent",
        reference: String(payload.reference ?? ""),
        quarantined: isQuarantined,
        mailed: isMailed,
        more: payload,
      };
    }
    const { code, message, fields } = payload.error ?? {};
    const wait = 1000 * (Number(answer.headers.get("Retry-After")) || 0);
    return { outcome: RETRY_STATUSES.includes(answer.status) ? "busy" : "refused", wait, code, message, fields };
  } catch (error) {
    complain(delivery.call, error);
    return null;
  }
};
const jsonOf = async (answer) => Object(await answer.json().catch(() => ({})));
const bodyOf = ({ values, key }) => JSON.stringify({ ...values, key });

/**
 * A token that remembers when the form was opened; without one the provider asks the sender by mail whether it was a person.
 * `takesAttribution`: the provider promises to take where a visitor came from. One that says nothing of it is never sent that.
 */
export const formToken = async (delivery) => {
  if (!delivery.tokenCall) {
    return {};
  }
  await new Promise((later) => setTimeout(later)); // the task in which a form appears is long enough
  try {
    const answer = await ask(delivery, delivery.tokenCall);
    if (answer.ok) {
      const { token, attribution } = await jsonOf(answer);
      return { token: String(token ?? ""), takesAttribution: attribution === true };
    }
  } catch {
    // no answer in time
  }
  doWithout(delivery.tokenCall);
  return {};
};

// Whether files can be sent along: not where the provider knows of none. Where nobody answers, the file's own way will tell.
let reply;
export const takesFiles = (delivery) => (reply ??= askForFiles(delivery));
const askForFiles = async (delivery) => {
  try {
    const { status } = await ask(delivery, delivery.filesCall);
    return status === 200 || status === 429;
  } catch {
    reply = undefined;
    return true;
  }
};

/** One file, with its progress from 0 to 1; `cancel` on the promise stops it. Answers {id}, {message} where it is refused, or {}. */
export const upload = (delivery, file, onProgress) => {
  const request = new XMLHttpRequest();
  const body = new FormData();
  body.append("file", file, file.name);
  let watch;
  let stalled = false;
  const alive = () => {
    clearTimeout(watch);
    watch = setTimeout(() => ((stalled = true), request.abort()), STALLED);
  };
  const done = new Promise((resolve) => {
    request.open("POST", callAt(delivery, delivery.filesCall));
    for (const [name, value] of Object.entries(headersOf(delivery))) {
      request.setRequestHeader(name, value);
    }
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => {
      alive();
      onProgress(total ? loaded / total : 0);
    };
    request.onloadend = () => clearTimeout(watch);
    request.onload = () => {
      const { response, status } = request;
      if (status < 300 && response?.id) {
        resolve({ id: response.id });
      } else if (RETRY_STATUSES.includes(status) && response?.error?.code !== "no_room") {
        resolve({});
      } else {
        resolve({ message: response?.error?.message ?? "" });
      }
    };
    request.onerror = () => {
      complain(delivery.filesCall, "no answer");
      resolve({});
    };
    request.onabort = () => resolve({ cancelled: !stalled });
    request.send(body);
    alive();
  });
  return Object.assign(done, { cancel: () => request.abort() });
};
