// The life of a form's submission, apart from any component, so that a closed dialog or a change of language does not end it.
//
// The same words keep their key, whichever way and however often they are sent: the provider makes one lead of a key. They go as an
// event to the form's state; if nobody acknowledges it in time, or the socket is down, they go by plain HTTP, again and again for a
// while. What ends it is a reference, messages for fields, or a lasting failure that the visitor can try again.
import { complain } from "$/components/browser/backend";
import { dropDraft, keepDraft, newKey, readDraft } from "$/components/browser/draft";
import { formToken, post } from "$/components/browser/provider_call";
import { Files } from "$/components/browser/files";

const SLOW = 2000; // milliseconds until the visitor is told that it takes longer
const TELL = 9000; // … and that it has failed; what is under way goes on
const PAUSES = [0, 400, 800, 1500, 2000, 2500]; // before each try by HTTP
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

const IDLE = { stage: "idle", errors: {}, trouble: "", result: null, refusals: 0, round: 0 };
const all = new Map();

export const submissionOf = (name) => {
  if (!all.has(name)) all.set(name, new Submission(name));
  return all.get(name);
};

class Submission {
  constructor(name) {
    this.name = name;
    this.view = IDLE;
    this.listeners = new Set();
    this.forms = new Set(); // ways to send what stands in a form now
    this.draft = readDraft(name);
    this.files = new Files(this.draft.files, () => {
      this.show({});
      this.remember({ files: this.files.named() });
    });
  }

  subscribe = (listener) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  snapshot = () => this.view;
  show(part) {
    this.view = { ...this.view, ...part };
    for (const listener of this.listeners) listener();
  }

  get busy() {
    return this.view.stage === "sending" || this.view.stage === "slow";
  }

  // The form is there: it gets its key, and its token in time.
  async open(way) {
    this.draft = { ...this.draft, ...readDraft(this.name) }; // another form may have filled it in
    this.draft.key ??= newKey();
    this.token ??= this.draft.token ? Promise.resolve(this.draft.token) : formToken(way);
    const token = await this.token;
    this.draft.token = token; // of the draft there is by now: whoever has typed meanwhile has made another
    if (!token) this.token = undefined; // asked for again at the next opening, or when it is sent
  }

  remember(part) {
    this.draft = { ...this.draft, ...part };
    keepDraft(this.name, this.draft);
  }

  async submit(said, way) {
    if (this.busy) return; // a second click
    this.show({ stage: "sending", errors: {}, trouble: "" });
    if (!(await this.files.send(way))) return this.refuse({ fields: { attachments: way.words.files } });
    const ids = this.files.ids();
    await this.send(ids.length ? { ...said, attachments: ids } : said, way);
  }

  // "Try again": what the form says by now, or, where it has gone with its page, what was sent.
  again = ({ detail }) => {
    if (detail.action !== `submit:${this.name}` || this.view.stage !== "failed") return;
    const [form] = this.forms;
    if (form) form();
    else this.send(JSON.parse(this.draft.sent), { ...this.letter.way, patience: 0 }); // nobody is there to hear the state's answer
  };

  // A reload came between the click and its answer.
  resume(way) {
    if (this.draft.sending && !this.busy) this.send(JSON.parse(this.draft.sent), { ...way, patience: 0 });
  }

  async send(said, way) {
    const body = JSON.stringify(said);
    if (this.draft.sent && this.draft.sent !== body) this.draft.key = newKey(); // other words are another submission
    this.remember({ sent: body, sending: true });
    const { key } = this.draft, attempt = Date.now();
    const letter = (this.letter = { key, attempt, way, said: await this.signed(said, way) });
    this.show({ stage: "sending", errors: {}, trouble: "" });
    const after = (time, act) => setTimeout(() => this.letter === letter && act(), time);
    after(SLOW, () => this.show({ stage: "slow" }));
    after(TELL, () => this.fail(letter));
    if (way.patience) way.tell(letter.said, key, attempt);
    await Promise.race([sleep(way.patience), new Promise((resolve) => (letter.hurry = resolve))]);
    await this.post(letter);
  }

  async signed(said, way) {
    if (!this.draft.token) await Promise.race([this.open(way), sleep(500)]);
    return { ...said, token: this.draft.token || undefined, language: way.language, page: way.page };
  }

  async post(letter) {
    for (const pause of PAUSES) {
      if (pause) await sleep(pause);
      if (this.letter !== letter) return;
      const answer = await post(letter.way, letter);
      if (this.letter !== letter) return;
      letter.last = answer;
      if (answer && answer.outcome !== "busy") return this.settle(answer, letter.way, true);
    }
    this.fail(letter);
  }

  // The socket is known to be down: nobody will acknowledge anything.
  hurry() {
    this.letter?.hurry?.();
  }

  // What the form's state says, in time or late.
  hear({ key, attempt, ...answer }) {
    const { letter } = this;
    if (!letter || letter.key !== key) return;
    if (answer.outcome === "failed" && attempt !== letter.attempt) return; // of an earlier try
    if (answer.outcome === "failed") return this.fail(letter, true);
    this.settle(answer, letter.way, false);
  }

  settle(answer, way, byHttp) {
    const { said } = this.letter;
    if (answer.code === "key_reused") {
      this.draft.key = newKey(); // the other tab has sent other words with ours
      return void this.send(JSON.parse(this.draft.sent), way);
    }
    this.letter = null;
    if (answer.fields?.attachments) this.files.unknown();
    if (answer.outcome !== "sent") return this.refuse(answer, way.words.failed);
    this.forget();
    this.show({ ...IDLE, stage: "sent", result: { ...answer, said }, refusals: this.view.refusals, round: this.view.round + 1 });
    way.say("sent", byHttp);
  }

  // What is wrong with something that the visitor cannot see is said in `otherwise`: never nothing at all.
  refuse({ fields = {}, message = "" }, otherwise = "") {
    this.remember({ sending: false });
    const { key, token, page, language, website_url, "": whole, ...errors } = fields;
    const trouble = Object.keys(errors).length ? "" : whole || message || otherwise;
    this.show({ stage: "idle", errors, trouble, refusals: this.view.refusals + 1 });
  }

  // Lasting, but a late answer still counts.
  fail(letter, told = false) {
    if (this.view.stage === "failed") return;
    this.remember({ sending: false });
    addEventListener("snackbar-action", this.again); // once, however often: the message outlives the form
    this.show({ stage: "failed", trouble: (letter.last?.outcome === "busy" && letter.last.message) || letter.way.words.failed });
    if (told) complain(letter.way.call, letter.way.words.failed);
    else letter.way.say("failed", true);
  }

  forget() {
    dropDraft(this.name);
    this.draft = {};
    this.token = undefined;
    this.files.clear();
  }

  // Empties the form; what it was is given back, for whoever thinks better of it.
  clear() {
    const { fields } = this.draft;
    this.forget();
    this.letter = null;
    this.show({ ...IDLE, refusals: this.view.refusals, round: this.view.round + 1 });
    return fields ?? {};
  }
}
