// The state machine of a form's submission, outside of any component, so that closing a dialog or changing the language does not end it.
//
// Equal content keeps its key, however it is sent and however often: the provider creates one lead per key. A submission is sent as an
// event to the form's state; without an acknowledgement in time, or if the socket is down, it is sent by plain HTTP with some retries.
// It ends with a success, with errors for fields, or with a failure that the visitor can retry.
// Problems that a visitor cannot correct do not stop it: a missing token is left out, a refused or old token is renewed, and so is a key.
// Any other refusal about an invisible field leads to the next way: from the socket to HTTP, from HTTP to the failure.
import { complain } from "$/components/reliable_form/backend";
import { dropDraft, keepDraft, newKey, prefill, readDraft } from "$/components/reliable_form/draft";
import { attribution } from "$/components/reliable_form/attribution";
import { formToken, post } from "$/components/reliable_form/provider_call";
import { Files } from "$/components/reliable_form/files";
import { ViewStore } from "$/components/reliable_form/view_store";

const SLOW_AFTER_MS = 2000; // until the form says that sending takes longer
const REPORT_AFTER_MS = 9000; // … and that it has failed; requests in progress continue
const MIN_TOKEN_AGE_MS = 4000; // younger tokens count as a spam signal
const STALE = 6 * 24 * 3600 * 1000; // milliseconds after which a token is renewed before it is sent
const MOST_MENDS = 3;
const PAUSES = [0, 400, 800, 1500, 2000, 2500]; // before each try by HTTP
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** @typedef {{ stage: string, errors: Record<string, string>, trouble?: string, result?: any, refusals?: number, round?: number }} View */

const IDLE = { stage: "idle", errors: {}, trouble: "", result: null, refusals: 0, round: 0 };
const all = new Map();

export const submissionOf = (name) => {
  if (!all.has(name)) {
    all.set(name, new Submission(name));
  }
  return all.get(name);
};

class Submission extends ViewStore {
  mends = 0;
  constructor(name) {
    super(IDLE);
    this.name = name;
    this.forms = new Set(); // functions that send the current content of a mounted form
    this.draft = readDraft(name);
    this.files = new Files(this.draft.files, () => {
      this.show({});
      this.remember({ files: this.files.named() });
    });
  }

  get busy() {
    return this.view.stage === "sending" || this.view.stage === "slow";
  }

  // Called when the form mounts: creates its key and requests its token.
  async open(delivery) {
    this.draft = { ...this.draft, ...readDraft(this.name) }; // another form may have filled it in
    this.draft.key ??= newKey();
    const { token: earlier, takesAttribution: took } = this.draft;
    this.token ??= earlier ? Promise.resolve({ token: earlier, takesAttribution: took }) : formToken(delivery);
    const { token, takesAttribution } = await this.token;
    // of the current draft, because typing replaces it
    Object.assign(this.draft, { token, takesAttribution, opened: this.draft.opened ?? Date.now() });
    if (!token) {
      this.token = undefined;
    } // requested again at the next opening, or when the form is sent
  }

  remember(part) {
    this.draft = { ...this.draft, ...part };
    keepDraft(this.name, this.draft);
  }

  async submit(values, delivery) {
    if (this.busy) {
      return;
    } // a second click
    this.mends = 0;
    this.show({ stage: "sending", errors: {}, trouble: "" });
    const { round } = this.view;
    const areThere = await this.files.send(delivery);
    if (this.view.round !== round) {
      return;
    } // the form was cleared meanwhile
    if (!areThere) {
      return this.refuse({ fields: { [delivery.filesCall]: delivery.words.files } });
    }
    const ids = this.files.ids();
    await this.send(ids.length ? { ...values, [delivery.filesCall]: ids } : values, delivery);
  }

  // Handles "Try again": sends the form's current content, or the last sent content if the form was unmounted with its page.
  again = ({ detail }) => {
    if (detail.action !== `submit:${this.name}` || this.view.stage !== "failed") {
      return;
    }
    const [form] = this.forms;
    this.mends = 0;
    if (form) {
      form();
    } else {
      this.send(JSON.parse(this.draft.sent), { ...this.request.delivery, patience: 0 });
    } // by HTTP, because no mounted form receives the state's reply
  };

  // Continues a submission that a reload interrupted.
  resume(delivery) {
    if (this.draft.sending && !this.busy) {
      this.send(JSON.parse(this.draft.sent), { ...delivery, patience: 0 });
    }
  }

  async send(values, delivery) {
    const body = JSON.stringify(values);
    if (this.draft.sent && this.draft.sent !== body) {
      this.draft.key = newKey();
    } // different content is a different submission
    this.remember({ sent: body, sending: true });
    const { key } = this.draft;
    const attempt = Date.now();
    const signed = await this.signed(values, delivery);
    if (this.draft.sent !== body) {
      return;
    } // the form was cleared meanwhile
    const request = (this.request = { key, attempt, delivery, values: signed });
    this.show({ stage: "sending", errors: {}, trouble: "" });
    const schedule = (time, act) => setTimeout(() => this.request === request && act(), time);
    schedule(SLOW_AFTER_MS, () => this.busy && this.show({ stage: "slow" })); // not after a failure: "Try again" would do nothing
    schedule(REPORT_AFTER_MS, () => this.fail(request));
    if (delivery.patience) {
      delivery.tell(request.values, key, attempt);
    }
    await Promise.race([sleep(delivery.patience), new Promise((resolve) => (request.hurry = resolve))]);
    await this.post(request);
  }

  async signed(values, delivery) {
    if (Date.now() - this.draft.opened > STALE) {
      await this.renewToken(delivery);
      await sleep(MIN_TOKEN_AGE_MS);
    } else if (!this.draft.token) {
      await Promise.race([this.open(delivery), sleep(500)]);
    }
    const { token, takesAttribution } = this.draft;
    const origin = takesAttribution ? attribution() : {};
    return { ...values, ...(token && { token }), ...origin, language: delivery.language, page: delivery.page };
  }

  async renewToken(delivery) {
    this.show({ stage: "slow" });
    const renewed = await Promise.race([formToken(delivery), sleep(SLOW_AFTER_MS)]);
    if (renewed?.token) {
      Object.assign(this.draft, { ...renewed, opened: Date.now() });
    }
  }

  async post(request) {
    let wait = 0; // from the last response's Retry-After
    for (const pause of PAUSES) {
      await sleep(Math.max(pause, wait));
      if (this.request !== request) {
        return;
      }
      const answer = await post(request.delivery, request);
      if (this.request !== request) {
        return;
      }
      request.last = answer;
      if (answer && answer.outcome !== "busy") {
        return this.settle(answer, request.delivery, true);
      }
      wait = answer?.wait ?? 0;
      // Nobody waits that long for a form: show the server's message, which says how long, and keep the form as it is.
      if (wait > REPORT_AFTER_MS && answer.message) {
        return this.settle({ ...answer, outcome: "refused" }, request.delivery, true);
      }
    }
    this.fail(request);
  }

  // Called when the socket is down: stops waiting for an acknowledgement.
  hurry() {
    this.request?.hurry?.();
  }

  // Handles the acknowledgement of the form's state, even a late one.
  hear({ key, attempt, ...answer }) {
    const { request } = this;
    if (!request || request.key !== key) {
      return;
    }
    if (answer.outcome === "failed" && attempt !== request.attempt) {
      return;
    } // from an earlier attempt
    if (answer.outcome === "failed") {
      return this.fail(request, true);
    }
    this.settle(answer, request.delivery, false);
  }

  settle(answer, delivery, byHttp) {
    const { values } = this.request;
    if (answer.outcome !== "sent" && this.mend(answer, byHttp)) {
      return;
    }
    this.request = null;
    if (answer.fields?.[delivery.filesCall]) {
      this.files.unknown();
    }
    if (answer.outcome !== "sent") {
      return this.refuse(answer, delivery.words.failed);
    }
    this.forget();
    this.show({
      ...IDLE,
      stage: "sent",
      result: { ...answer, values },
      refusals: this.view.refusals,
      round: this.view.round + 1,
    });
    delivery.say("sent", byHttp);
  }

  // Returns true if the refusal concerns nothing that the visitor could see and correct; then resends, goes on to HTTP, or fails.
  mend({ fields = {}, code, message }, byHttp) {
    const { request } = this;
    const names = Object.keys(fields);
    const isKey = code === "key_reused" || "key" in fields; // another tab may have sent it with different content
    const isToken = code === "looks_automatic" || "token" in fields;
    const isSeen = names.length ? names.some((name) => !name || request.delivery.shows(name)) : message && !isToken;
    if (isSeen && !isKey) {
      return false;
    }
    if ((isKey || isToken) && this.mends < MOST_MENDS) {
      this.resend(request, isKey, isToken);
    } else if (byHttp) {
      this.fail(request);
    } else {
      request.hurry();
    } // by HTTP
    return true;
  }

  async resend({ delivery }, isKey, isToken) {
    this.request = null;
    this.mends += 1;
    if (isKey) {
      this.draft.key = newKey();
    }
    const values = JSON.parse(this.draft.sent);
    delete values[delivery.honeypot]; // a browser may have filled in the invisible field
    if (isToken) {
      if (this.mends === 1) {
        await this.renewToken(delivery);
      } // only once, because a token renewed each time would always be too young
      this.show({ stage: "slow" });
      await sleep(MIN_TOKEN_AGE_MS * this.mends);
    }
    if (this.busy) {
      await this.send(values, delivery);
    }
  }

  /** @param {{ fields?: Record<string, string>, message?: string }} answer */
  refuse({ fields = {}, message = "" }, otherwise = "") {
    this.remember({ sending: false });
    const { "": whole, ...errors } = fields;
    const trouble = Object.keys(errors).length ? "" : whole || message || otherwise;
    this.show({ stage: "idle", errors, trouble, refusals: this.view.refusals + 1 });
  }

  // Shows a failure; a late reply still counts.
  fail(request, isReported = false) {
    if (this.view.stage === "failed") {
      return;
    }
    this.remember({ sending: false });
    addEventListener("snackbar-action", this.again); // never removed, because the message outlives the form; adding it again has no effect
    this.show({
      stage: "failed",
      trouble: (request.last?.outcome === "busy" && request.last.message) || request.delivery.words.failed,
    });
    if (isReported) {
      complain(request.delivery.call, request.delivery.words.failed);
    } else {
      request.delivery.say("failed", true);
    }
  }

  forget() {
    dropDraft(this.name);
    this.draft = {};
    this.token = undefined;
    this.files.clear();
  }

  // Clears the form; returns a function that restores it, for undo.
  clear() {
    const { fields } = this.draft;
    const { list } = this.files;
    this.forget();
    this.request = null;
    this.show({ ...IDLE, refusals: this.view.refusals, round: this.view.round + 1 });
    return () => {
      prefill(this.name, fields ?? {});
      this.files.restore(list);
    };
  }
}
