// The state machine of a form's submission, outside of any component, so that closing a dialog or changing the language does not end it.
//
// Equal content keeps its key, however it is sent and however often: the provider creates one lead per key. A submission is sent as an
// event to the form's state; without an acknowledgement in time, or if the socket is down, it is sent by plain HTTP with some retries.
// It ends with a success, with errors for fields, or with a failure that the visitor can retry.
// Problems that a visitor cannot correct do not stop it: a missing token is left out, a refused or old token is renewed, and so is a key.
// Any other refusal about an invisible field leads to the next way: from the socket to HTTP, from HTTP to the failure (see repair.js).
import { logFailure } from "$/components/reliable_form/backend";
import { dropDraft, newSubmissionKey, prefill, readDraft, saveDraft } from "$/components/reliable_form/draft";
import { attribution } from "$/components/reliable_form/attribution";
import { SNACKBAR_ACTION } from "$/components/messages/events";
import { post } from "$/components/reliable_form/provider_call";
import { repairOf } from "$/components/reliable_form/repair";
import { sleep } from "$/components/reliable_form/sleep";
import { FormToken } from "$/components/reliable_form/token";
import { Files } from "$/components/reliable_form/files";

const SLOW_AFTER_MS = 2000; // until the form says that sending takes longer
const REPORT_AFTER_MS = 9000; // … and that it has failed; requests in progress continue
const MIN_TOKEN_AGE_MS = 4000; // younger tokens count as a spam signal
const TOKEN_PATIENCE_MS = 500; // that a submission without a token waits for one
const HTTP_PAUSES_MS = [0, 400, 800, 1500, 2000, 2500]; // before each try by HTTP

/** @typedef {"idle" | "sending" | "slow" | "failed" | "sent"} Stage */
/**
 * How and where a form sends: read anew from its props for each submission.
 * @typedef {{ api: string, call: string, tokenCall?: string, filesCall?: string, apiKey?: string, tag?: string, language: string, page: string,
 *   words: Record<string, string>, timeoutMs: number, honeypot?: string, isVisible: (field: string) => boolean,
 *   sendEvent: (values: object, key: string, attempt: number) => void,
 *   report: (outcome: "sent" | "refused" | "failed", how: { byHttp: boolean }) => void }} Delivery
 */
/** @typedef {{ stage: Stage, errors: Record<string, string>, trouble?: string, code?: string, result?: any, refusals?: number, round?: number }} View */

/** @type {View} */
const IDLE = { stage: "idle", errors: {}, trouble: "", code: "", result: null, refusals: 0, round: 0 };
const submissions = new Map();

/** Returns the submission of the form with this name, the same one each time. */
export const submissionOf = (name) => {
  if (!submissions.has(name)) {
    submissions.set(name, new Submission(name));
  }
  return submissions.get(name);
};

class Submission {
  view = IDLE;
  listeners = new Set(); // of the components that show it
  repairs = 0; // since the visitor last pressed the button

  constructor(name) {
    this.name = name;
    this.resubmitters = new Set(); // functions that send the current content of a mounted form
    this.draft = readDraft(name);
    this.token = new FormToken(() => this.draft);
    this.files = new Files(this.draft.files, () => {
      this.updateView({});
      this.updateDraft({ files: this.files.stored() });
    });
  }

  // React subscribes, and renders again after each change of the view.
  subscribe = (listener) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  snapshot = () => this.view;
  /** @param {Partial<View>} part */
  updateView(part) {
    this.view = { ...this.view, ...part };
    for (const listener of this.listeners) {
      listener();
    }
  }

  get busy() {
    return this.view.stage === "sending" || this.view.stage === "slow";
  }

  /**
   * Called when the form mounts: creates its key and requests its token.
   * @param {Delivery} delivery
   */
  async prepare(delivery) {
    this.draft = { ...this.draft, ...readDraft(this.name) }; // another form may have filled it in
    this.draft.key ??= newSubmissionKey();
    await this.token.load(delivery);
  }

  updateDraft(part) {
    this.draft = { ...this.draft, ...part };
    saveDraft(this.name, this.draft);
  }

  /** @param {object} values @param {Delivery} delivery */
  async submit(values, delivery) {
    // A second click while the form is being sent.
    if (this.busy) {
      return;
    }
    this.repairs = 0;
    this.updateView({ stage: "sending", errors: {}, trouble: "" });
    const { round } = this.view;
    const { fields } = this.draft;
    const isUploaded = await this.files.send(delivery);
    // The form was cleared meanwhile.
    if (this.view.round !== round) {
      return;
    }
    if (!isUploaded) {
      return this.refuse({ fields: { [delivery.filesCall]: delivery.words.files } });
    }
    const ids = this.files.ids();
    await this.#send(ids.length ? { ...values, [delivery.filesCall]: ids } : values, delivery, fields);
  }

  // Handles "Try again": sends the form's current content, or the last sent content if the form was unmounted with its page.
  onMessageAction = ({ detail }) => {
    if (detail.action !== `submit:${this.name}` || this.view.stage !== "failed") {
      return;
    }
    const [resubmit] = this.resubmitters;
    this.repairs = 0;
    if (resubmit) {
      resubmit();
    } else {
      // By HTTP, because no mounted form receives the state's reply.
      this.#send(JSON.parse(this.draft.sent), { ...this.delivery, timeoutMs: 0 });
    }
  };

  /**
   * Continues a submission that a reload interrupted.
   * @param {Delivery} delivery
   */
  resume(delivery) {
    if (this.draft.sending && !this.busy) {
      this.#send(JSON.parse(this.draft.sent), { ...delivery, timeoutMs: 0 });
    }
  }

  // `fields` are those of the draft from which the values were taken.
  /** @param {object} values @param {Delivery} delivery @param {object} [fields] */
  async #send(values, delivery, fields = this.draft.fields) {
    const { round } = this.view;
    this.delivery = delivery; // for "Try again" once the form was unmounted
    const body = JSON.stringify(values);
    // Different content is a different submission.
    if (this.draft.sent && this.draft.sent !== body) {
      this.draft.key = newSubmissionKey();
    }
    this.updateDraft({ sent: body, sending: true });
    const { key } = this.draft;
    const attempt = Date.now();
    const completed = await this.#withMetadata(values, delivery);
    // The form was cleared meanwhile.
    if (this.draft.sent !== body || this.view.round !== round) {
      return;
    }
    const request = (this.request = { key, attempt, delivery, values: completed, fields });
    this.updateView({ stage: "sending", errors: {}, trouble: "" });
    const schedule = (time, act) => setTimeout(() => this.request === request && act(), time);
    schedule(SLOW_AFTER_MS, () => this.busy && this.updateView({ stage: "slow" })); // not after a failure: "Try again" would do nothing
    schedule(REPORT_AFTER_MS, () => this.#fail(request));
    if (delivery.timeoutMs) {
      delivery.sendEvent(request.values, key, attempt);
    }
    await Promise.race([sleep(delivery.timeoutMs), new Promise((resolve) => (request.endWait = resolve))]);
    await this.#sendByHttp(request);
  }

  /**
   * Returns the values with the token, the page, its language, and where the visitor came from.
   * @param {object} values @param {Delivery} delivery
   */
  async #withMetadata(values, delivery) {
    if (this.token.isOld) {
      await this.#renewToken(delivery);
      await sleep(MIN_TOKEN_AGE_MS);
    } else if (!this.draft.token) {
      await Promise.race([this.prepare(delivery), sleep(TOKEN_PATIENCE_MS)]);
    }
    const { token, takesAttribution } = this.draft;
    const origin = takesAttribution ? attribution() : {};
    return { ...values, ...(token && { token }), ...origin, language: delivery.language, page: delivery.page };
  }

  /** @param {Delivery} delivery */
  async #renewToken(delivery) {
    this.updateView({ stage: "slow" });
    await this.token.renew(delivery);
  }

  async #sendByHttp(request) {
    let wait = 0; // from the last response's Retry-After
    for (const pause of HTTP_PAUSES_MS) {
      await sleep(Math.max(pause, wait));
      if (this.request !== request) {
        return;
      }
      const reply = await post(request.delivery, request);
      if (this.request !== request) {
        return;
      }
      request.last = reply;
      if (reply && reply.outcome !== "busy") {
        return this.#finish(reply, request.delivery, { byHttp: true });
      }
      wait = reply?.wait ?? 0;
      // Nobody waits that long for a form: show the server's message, which says how long, and keep the form as it is.
      if (wait > REPORT_AFTER_MS && reply.message) {
        return this.#finish({ ...reply, outcome: "refused" }, request.delivery, { byHttp: true });
      }
    }
    this.#fail(request);
  }

  // Called when the socket is down: goes on by HTTP without waiting for an acknowledgement.
  stopWaiting() {
    this.request?.endWait?.();
  }

  // Handles the acknowledgement of the form's state, even a late one.
  onAcknowledgement({ key, attempt, ...reply }) {
    const { request } = this;
    if (!request || request.key !== key) {
      return;
    }
    // The failure is that of an earlier attempt.
    if (reply.outcome === "failed" && attempt !== request.attempt) {
      return;
    }
    if (reply.outcome === "failed") {
      return this.#fail(request, { isReported: true });
    }
    this.#finish(reply, request.delivery, { byHttp: false });
  }

  #finish(reply, delivery, { byHttp }) {
    const { values, fields } = this.request;
    if (reply.outcome !== "sent" && this.#repair(reply, byHttp)) {
      return;
    }
    this.request = null;
    if (reply.fields?.[delivery.filesCall]) {
      this.files.markLost();
    }
    if (reply.outcome !== "sent") {
      delivery.report("refused", { byHttp });
      return this.refuse(reply, delivery.words.failed);
    }
    const typed = this.draft.fields;
    this.#forget();
    this.updateView({
      ...IDLE,
      stage: "sent",
      result: { ...reply, values },
      refusals: this.view.refusals,
      round: this.view.round + 1,
    });
    delivery.report("sent", { byHttp });
    if (JSON.stringify(typed) !== JSON.stringify(fields)) {
      prefill(this.name, typed); // the visitor has changed the form since, such as after a failure
    }
  }

  // Returns true if the submission goes on although it was refused.
  #repair(refusal, byHttp) {
    const { request } = this;
    const repair = repairOf(refusal, { isVisible: request.delivery.isVisible, repairs: this.repairs, byHttp });
    if (repair?.step === "resend") {
      this.#resend(request, repair);
    } else if (repair?.step === "http") {
      request.endWait();
    } else if (repair) {
      this.#fail(request);
    }
    return Boolean(repair);
  }

  async #resend({ delivery, fields }, { needsNewKey, needsNewToken }) {
    const { round } = this.view;
    this.request = null;
    this.repairs += 1;
    if (needsNewKey) {
      this.draft.key = newSubmissionKey();
    }
    const values = JSON.parse(this.draft.sent);
    delete values[delivery.honeypot]; // a browser may have filled in the invisible field
    if (needsNewToken) {
      this.updateView({ stage: "slow" });
      // Only once, because a token renewed each time would always be too young.
      if (this.repairs === 1) {
        await this.#renewToken(delivery);
      }
      await sleep(MIN_TOKEN_AGE_MS * this.repairs);
    }
    // Not if the form was cleared meanwhile, even if the visitor is sending something else by now.
    if (this.busy && this.view.round === round) {
      await this.#send(values, delivery, fields);
    }
  }

  /** @param {{ fields?: Record<string, string>, message?: string, code?: string }} reply */
  refuse({ fields = {}, message = "", code = "" }, fallback = "") {
    this.updateDraft({ sending: false });
    const { "": formError, ...errors } = fields;
    const trouble = Object.keys(errors).length ? "" : formError || message || fallback;
    this.updateView({ stage: "idle", errors, trouble, code, refusals: this.view.refusals + 1 });
  }

  // Shows a failure; a late reply still counts.
  #fail(request, { isReported = false } = {}) {
    if (this.view.stage === "failed") {
      return;
    }
    this.updateDraft({ sending: false });
    addEventListener(SNACKBAR_ACTION, this.onMessageAction); // never removed, because the message outlives the form; adding it again has no effect
    this.updateView({
      stage: "failed",
      trouble: (request.last?.outcome === "busy" && request.last.message) || request.delivery.words.failed,
    });
    if (isReported) {
      logFailure(request.delivery.call, request.delivery.words.failed);
    } else {
      request.delivery.report("failed", { byHttp: true });
    }
  }

  // Shows the empty form again in place of its result.
  startAnother() {
    this.updateView({ stage: "idle", result: null });
  }

  #forget() {
    dropDraft(this.name);
    this.draft = {};
    this.token.forget();
    this.files.clear();
  }

  // Clears the form; returns a function that restores it, for undo.
  clear() {
    const { fields, key, sent, token, takesAttribution, opened } = this.draft;
    const { list } = this.files;
    this.#forget();
    this.request = null;
    this.updateView({ ...IDLE, refusals: this.view.refusals, round: this.view.round + 1 });
    return () => {
      this.token.forget();
      this.updateDraft({ key, sent, token, takesAttribution, opened }); // what was sent before may have arrived
      prefill(this.name, fields ?? {});
      this.files.restore(list);
    };
  }
}
