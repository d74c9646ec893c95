// The API over plain HTTP: a form's fallback when its socket does not respond.
import { backendUrl, logFailure, warnMissing } from "$/components/reliable_form/backend";
import { sleep } from "$/components/reliable_form/sleep";
import { timeoutSignal } from "$/components/reliable_form/timeout";

const TIMEOUT_MS = 6000; // the server itself gives up after five seconds
const STALL_TIMEOUT_MS = 20_000; // without progress, after which an upload is given up
const RETRY_STATUSES = [429, 500, 502, 503, 504];

/** @typedef {import("./submission.js").Delivery} Delivery */

/** @param {Pick<Delivery, "api">} delivery @param {string} call */
const urlOf = ({ api }, call) => backendUrl(`${api}/${call}`);
/** @param {Pick<Delivery, "apiKey" | "tag">} delivery */
const headersOf = ({ apiKey, tag }) => ({ ...(apiKey && { "X-API-Key": apiKey }), ...(tag && { "Accept-Language": tag }) });
/** @param {Delivery} delivery @param {string} call */
const get = (delivery, call) =>
  fetch(urlOf(delivery, call), { headers: headersOf(delivery), signal: timeoutSignal(TIMEOUT_MS) });

/**
 * Sends a submission. Returns a result in the format of the form's state, or null if there was no response and a retry may help. The status
 * alone decides a success: the body may be empty, and an accepted submission must not be sent again.
 * @param {Delivery} delivery
 * @param {{ values: object, key: string }} request
 */
export const post = async (delivery, request) => {
  const headers = { ...headersOf(delivery), "Content-Type": "application/json" };
  try {
    const signal = timeoutSignal(TIMEOUT_MS);
    const options = { method: "POST", headers, body: bodyOf(request), signal };
    const response = await fetch(urlOf(delivery, delivery.call), options);
    return resultOf(response, await jsonOf(response));
  } catch (error) {
    logFailure(delivery.call, error);
    return null;
  }
};
/** @param {Response} response */
const resultOf = ({ ok, status, headers }, payload) => {
  if (ok) {
    return {
      outcome: "sent",
      reference: String(payload.reference ?? ""),
      quarantined: payload.quarantined === true,
      mailed: payload.mailed !== false,
      details: payload,
    };
  }
  const { code, message, fields } = payload.error ?? {};
  const wait = 1000 * (Number(headers.get("Retry-After")) || 0);
  return { outcome: RETRY_STATUSES.includes(status) ? "busy" : "refused", wait, code, message, fields };
};
const jsonOf = async (response) => Object(await response.json().catch(() => ({})));
const bodyOf = ({ values, key }) => JSON.stringify({ ...values, key });

/**
 * Requests the token that records when the form was opened. Resolves to { token, takesAttribution }, or to {} without a reply: the provider
 * then asks the sender to confirm by mail. `takesAttribution` is true only if the provider says that it accepts the field `attribution`.
 * @param {Delivery} delivery
 */
export const requestToken = async (delivery) => {
  if (!delivery.tokenCall) {
    return {};
  }
  await sleep(); // in a new task, because the one that renders the form is long enough
  try {
    const response = await get(delivery, delivery.tokenCall);
    if (response.ok) {
      const { token, attribution } = await jsonOf(response);
      return { token: String(token ?? ""), takesAttribution: attribution === true };
    }
  } catch {
    // no response in time
  }
  warnMissing(delivery.tokenCall);
  return {};
};

let filesSupport;
/**
 * Resolves to false if the provider does not support files. Without a response resolves to true: the upload itself will show it.
 * @param {Delivery} delivery
 */
export const takesFiles = (delivery) => (filesSupport ??= askForFiles(delivery));
/** @param {Delivery} delivery */
const askForFiles = async (delivery) => {
  try {
    const { status } = await get(delivery, delivery.filesCall);
    return status === 200 || status === 429;
  } catch {
    filesSupport = undefined;
    return true;
  }
};

/**
 * Uploads a file and reports progress from 0 to 1; `cancel` on the promise stops it. Resolves to {id}, {message} if refused, {cancelled} or {}.
 * @param {Delivery} delivery @param {File} file @param {(progress: number) => void} onProgress
 */
export const upload = (delivery, file, onProgress) => {
  const request = new XMLHttpRequest();
  const body = new FormData();
  body.append("file", file, file.name);
  let stallTimer;
  let isStalled = false;
  const restartStallTimer = () => {
    clearTimeout(stallTimer);
    stallTimer = setTimeout(() => {
      isStalled = true;
      request.abort();
    }, STALL_TIMEOUT_MS);
  };
  const result = new Promise((resolve) => {
    request.open("POST", urlOf(delivery, delivery.filesCall));
    for (const [name, value] of Object.entries(headersOf(delivery))) {
      request.setRequestHeader(name, value);
    }
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => {
      restartStallTimer();
      onProgress(total ? loaded / total : 0);
    };
    request.onloadend = () => clearTimeout(stallTimer);
    request.onload = () => resolve(uploadResult(request));
    request.onerror = () => {
      logFailure(delivery.filesCall, "no answer");
      resolve({});
    };
    request.onabort = () => resolve({ cancelled: !isStalled });
    request.send(body);
    restartStallTimer();
  });
  return Object.assign(result, { cancel: () => request.abort() });
};
/** @param {XMLHttpRequest} request */
const uploadResult = ({ response, status }) => {
  if (status < 300 && response?.id) {
    return { id: response.id };
  }
  const mayRetry = RETRY_STATUSES.includes(status) && response?.error?.code !== "no_room";
  return mayRetry ? {} : { message: response?.error?.message ?? "" };
};
