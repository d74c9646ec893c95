// The life of a form's submission, apart from any component, so that a closed dialog or a change of language does not end it.
//
// The same words keep their key, whichever way and however often they are sent: the provider makes one lead of a key. They go as an
// event to the form's state; if nobody acknowledges it in time, or the socket is down, they go by plain HTTP, again and again for a
// while. What ends it is a success, messages for fields, or a lasting failure that the visitor can try again.
// What a visitor cannot correct stops nothing: a token that did not come is left out, one that is refused or old is renewed, a key
// likewise, and a refusal of anything else that no field shows goes the next way.
import { complain } from "$/components/reliable_form/backend";
import { dropDraft, keepDraft, newKey, prefill, readDraft } from "$/components/reliable_form/draft";
import { attribution } from "$/components/reliable_form/attribution";
import { formToken, post } from "$/components/reliable_form/provider_call";
import { Files } from "$/components/reliable_form/files";
import { ViewStore } from "$/components/reliable_form/view_store";

const SLOW_AFTER_MS = 2000; // until the visitor reads that it takes longer
const REPORT_AFTER_MS = 9000; // … and that it has failed; what is under way goes on
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
    this.forms = new Set(); // ways to send what stands in a form now
    this.draft = readDraft(name);
    this.files = new Files(this.draft.files, () => {
      this.show({});
      this.remember({ files: this.files.named() });
    });
  }

  get busy() {
    return this.view.stage === "sending" || this.view.stage === "slow";
  }

  // The form is there: it gets its key, and its token in time.
  async open(delivery) {
    this.draft = { ...this.draft, ...readDraft(this.name) }; // another form may have filled it in
    this.draft.key ??= newKey();
    const { token: earlier, takesAttribution: took } = this.draft;
    this.token ??= earlier ? Promise.resolve({ token: earlier, takesAttribution: took }) : formToken(delivery);
    const { token, takesAttribution } = await this.token;
    Object.assign(this.draft, { token, takesAttribution, opened: this.draft.opened ?? Date.now() }); // of the draft there is by now: typing makes another
    if (!token) {
      this.token = undefined;
    } // asked for again at the next opening, or when it is sent
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
    } // the form was emptied meanwhile
    if (!areThere) {
      return this.refuse({ fields: { [delivery.filesCall]: delivery.words.files } });
    }
    const ids = this.files.ids();
    await this.send(ids.length ? { ...values, [delivery.filesCall]: ids } : values, delivery);
  }

  // "Try again": what the form says by now, or, where it has gone with its page, what was sent.
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
    } // nobody is there to hear the state's answer
  };

  // A reload came between the click and its answer.
  resume(delivery) {
    if (this.draft.sending && !this.busy) {
      this.send(JSON.parse(this.draft.sent), { ...delivery, patience: 0 });
    }
  }

  async send(values, delivery) {
    const body = JSON.stringify(values);
    if (this.draft.sent && this.draft.sent !== body) {
      this.draft.key = newKey();
    } // other words are another submission
    this.remember({ sent: body, sending: true });
    const { key } = this.draft;
    const attempt = Date.now();
    const signed = await this.signed(values, delivery);
    if (this.draft.sent !== body) {
      return;
    } // the form was emptied meanwhile
    const request = (this.request = { key, attempt, delivery, values: signed });
    this.show({ stage: "sending", errors: {}, trouble: "" });
    const schedule = (time, act) => setTimeout(() => this.request === request && act(), time);
    schedule(SLOW_AFTER_MS, () => this.show({ stage: "slow" }));
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
    let wait = 0; // as the last answer has asked for
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
      // Longer than anybody waits for a form: the message says how long, and the form stays as it is.
      if (wait > REPORT_AFTER_MS && answer.message) {
        return this.settle({ ...answer, outcome: "refused" }, request.delivery, true);
      }
    }
    this.fail(request);
  }

  // The socket is known to be down: nobody will acknowledge anything.
  hurry() {
    this.request?.hurry?.();
  }

  // What the form's state says, in time or late.
  hear({ key, attempt, ...answer }) {
    const { request } = this;
    if (!request || request.key !== key) {
      return;
    }
    if (answer.outcome === "failed" && attempt !== request.attempt) {
      return;
    } // of an earlier try
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

  // Whether the refusal is about nothing that the visitor could see and correct, and has been seen to otherwise.
  mend({ fields = {}, code, message }, byHttp) {
    const { request } = this;
    const names = Object.keys(fields);
    const isKey = code === "key_reused" || "key" in fields; // in another tab it may have gone with other words
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
    delete values[delivery.honeypot]; // a browser may have filled in what no person sees
    if (isToken) {
      if (this.mends === 1) {
        await this.renewToken(delivery);
      } // renewed each time, it would always be too young
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

  // Lasting, but a late answer still counts.
  fail(request, isReported = false) {
    if (this.view.stage === "failed") {
      return;
    }
    this.remember({ sending: false });
    addEventListener("snackbar-action", this.again); // once, however often: the message outlives the form
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

  // Empties the form; returns what brings it back, for whoever thinks better of it.
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
