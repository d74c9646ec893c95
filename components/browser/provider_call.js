// The provider's API over plain HTTP: what a form falls back to when its socket is silent.
import { at, complain } from "$/components/browser/backend";

const LONGEST_ANSWER = 6000; // milliseconds; the server itself gives up after five seconds
const STALLED = 20000; // milliseconds without progress after which an upload is given up
const AGAIN = [429, 500, 502, 503, 504];

const headersOf = ({ apiKey, tag }) => ({ "X-API-Key": apiKey, "Accept-Language": tag });

// An answer as a form's state would give it: sent, or refused; null where there is none and asking again may help.
export const post = async (way, letter) => {
  try {
    const headers = { ...headersOf(way), "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(LONGEST_ANSWER);
    const answer = await fetch(at(`/v1.0/${way.call}`), { method: "POST", headers, body: bodyOf(letter), signal });
    const said = await answer.json();
    if (answer.ok) return { outcome: "sent", reference: said.reference, quarantined: said.quarantined, more: said };
    const { code, message, fields } = said.error;
    return { outcome: AGAIN.includes(answer.status) ? "busy" : "refused", code, message, fields };
  } catch (error) {
    complain(way.call, error);
    return null;
  }
};
const bodyOf = ({ said, key }) => JSON.stringify({ ...said, key });

// A token that remembers when the form was opened; without one the provider asks the sender by mail whether it was a person.
export const formToken = async (way) => {
  await new Promise((later) => setTimeout(later)); // the task in which a form appears is long enough
  try {
    const answer = await fetch(at("/v1.0/formToken"), { headers: headersOf(way), signal: AbortSignal.timeout(LONGEST_ANSWER) });
    return answer.ok ? (await answer.json()).token : "";
  } catch (error) {
    complain("formToken", error);
    return "";
  }
};

// One file, with its progress from 0 to 1; `cancel` on the promise stops it. Answers {id}, {message} where it is refused, or {}.
export const upload = (way, file, onProgress) => {
  const request = new XMLHttpRequest(), body = new FormData();
  body.append("file", file, file.name);
  let watch, stalled = false;
  const alive = () => {
    clearTimeout(watch);
    watch = setTimeout(() => ((stalled = true), request.abort()), STALLED);
  };
  const done = new Promise((resolve) => {
    request.open("POST", at("/v1.0/attachments"));
    for (const [name, value] of Object.entries(headersOf(way))) request.setRequestHeader(name, value);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => {
      alive();
      onProgress(total ? loaded / total : 0);
    };
    request.onloadend = () => clearTimeout(watch);
    request.onload = () => {
      const { response, status } = request;
      if (status < 300 && response?.id) resolve({ id: response.id });
      else resolve(AGAIN.includes(status) ? {} : { message: response?.error?.message ?? "" });
    };
    request.onerror = () => {
      complain("attachments", "no answer");
      resolve({});
    };
    request.onabort = () => resolve({ cancelled: !stalled });
    request.send(body);
    alive();
  });
  return Object.assign(done, { cancel: () => request.abort() });
};
