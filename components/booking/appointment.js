// The time being chosen for a call, apart from any component, so that a change of language or a closed dialog does not end it.
// The site says which times are free, as days in words; the list starts empty, and each answer replaces it. The hold has a name of our
// own making, so that asking twice is asking once, and a hold whose answer got lost is the visitor's all the same.
import { newKey, readDraft } from "$/components/reliable_form/draft";
import { say, unsay } from "$/components/browser/page_events";
import { submissionOf } from "$/components/reliable_form/submission";
import { ViewStore } from "$/components/reliable_form/view_store";
import { askToHold, freeTimes, release } from "$/components/booking/time_calls";

const FORM = "consultation";
const SOON = 120000; // milliseconds before the end of a hold at which the visitor is told
const NONE = { days: [] };
const CLEAR = {
  step: "time", chosen: null, held: null, until: 0, isUnheld: false, lapsed: false, lost: null, trouble: "", spoken: "", busy: false, booked: null,
};

class Appointment extends ViewStore {
  constructor() {
    const { time = null, fields: { hold, time_zone: zone } = {} } = readDraft(FORM);
    super({ ...CLEAR, free: NONE, loaded: false, failed: false, zone: zone ?? visitorsZone(), arrivals: 0, ...(time && { chosen: time, step: "details" }) });
    this.submission = submissionOf(FORM);
    this.name = hold ?? newKey();
    this.hasAsked = Boolean(time); // for a hold, which may be there even where no answer came
    this.props = { words: {}, times: "", apiKey: "" }; // those of whichever component is there
  }

  arrive(part) {
    this.show({ ...part, arrivals: this.view.arrivals + 1 });
  }

  get isHeld() {
    return this.view.until > Date.now();
  }
  // What the form says beside its own fields.
  get said() {
    const { chosen, zone, step } = this.view;
    return step === "details" && chosen ? { slot: chosen.id, hold: this.name, time_zone: zone } : { time_zone: zone };
  }

  // The free times around the one that was lost.
  get nearest() {
    const far = ({ start }) => Math.abs(Date.parse(start) - Date.parse(this.view.lost.start));
    const near = timesOf(this.view.free.days).sort((one, other) => far(one) - far(other)).slice(0, 3);
    return near.sort((one, other) => Date.parse(one.start) - Date.parse(other.start));
  }

  // The dialog opens: what was chosen before is held anew.
  async open() {
    this.isOpen = true;
    if (this.submission.view.stage === "sent") return;
    const { step, lost } = this.view;
    await (step === "details" && !lost && !this.isHeld ? this.hold() : this.load());
  }
  // It closes, or the page goes: somebody else may have the time, unless the call is on its way to be booked.
  close() {
    this.isOpen = false;
    if (!this.hasAsked || this.submission.busy) return;
    release(this.name);
    this.drop();
  }
  drop() {
    this.hasAsked = false;
    this.stopWatching();
    this.show({ until: 0, held: null, lapsed: false });
  }

  async load(zone = this.view.zone) {
    const asked = (this.asked = {});
    this.show({ failed: false, trouble: "" });
    const free = await freeTimes(this.props.times, { zone, ...(this.hasAsked && { hold: this.name }) });
    if (this.asked !== asked) return; // another zone has been chosen meanwhile
    if (!free) return this.show({ failed: true, trouble: this.props.words.failed });
    const { chosen, step, zone: before } = this.view;
    const found = timesOf(free.days).find(({ id }) => id === chosen?.id) ?? (step === "details" ? chosen : null);
    this.show({ free, loaded: true, zone: free.zone, chosen: found });
    if (free.zone !== before) this.remember();
  }

  choose(chosen) {
    this.show({ chosen, trouble: "" });
  }
  // Back to the times; what is held stays so until another is.
  reconsider() {
    this.arrive({ step: "time", lost: null, trouble: "" });
    return this.load();
  }

  // Holds the chosen time, or for longer the one that is held, wherever the visitor is by then.
  async hold({ longer = false } = {}) {
    const { chosen, held, step, busy } = this.view, wanted = longer ? held ?? chosen : chosen;
    if (busy) return;
    if (!wanted) return this.show({ trouble: this.props.words.chooseOne });
    this.hasAsked = true;
    this.show({ busy: true, trouble: "" });
    const answer = await askToHold({ slot: wanted.id, hold: this.name }, this.props);
    this.show({ busy: false });
    await this.settle(answer, wanted, longer && step === "time");
  }

  /** @param {{ outcome: string, seconds?: number, message?: string }} answer */
  async settle({ outcome, seconds = 0, message = "" }, wanted, isElsewhere) {
    const { step, lost, held, loaded } = this.view, { words } = this.props, isUnheld = outcome === "none";
    if (!this.isOpen) return outcome === "held" && release(this.name); // closed meanwhile
    if (outcome === "refused") return isElsewhere ? this.drop() : this.lose(message, wanted);
    if (isUnheld && this.isHeld && held?.id === wanted.id) return this.show({ trouble: words.failed });
    const arrives = !isElsewhere && (step !== "details" || lost);
    const until = isUnheld ? 0 : Date.now() + seconds * 1000, spoken = arrives || isUnheld ? "" : words.kept;
    this.show({ held: isUnheld ? null : wanted, until, isUnheld, spoken, lapsed: false });
    if (!isElsewhere) this.show({ step: "details", chosen: wanted, lost: null });
    if (arrives) this.arrive();
    this.remember();
    this.watch();
    if (!loaded) await this.load();
  }

  // Somebody was faster: the nearest free times are offered, and the form stays as it is.
  async lose(message, wanted) {
    if (wanted.id === this.view.held?.id) this.drop(); // else the earlier hold still stands
    await this.load();
    this.arrive({ lost: { message, start: wanted.start }, chosen: null });
  }
  // The form came back: its time is gone.
  refused(message) {
    if (this.view.chosen) this.lose(message, this.view.chosen);
    else this.arrive({ trouble: message });
  }

  watch() {
    this.stopWatching();
    if (!this.view.until) return;
    const { words } = this.props, left = this.view.until - Date.now();
    const warn = (text) => say({ type: "warning", text, timeout: 0, action: { label: words.keepShort, run: () => this.hold({ longer: true }) } });
    const lapse = () => {
      this.stopWatching();
      this.show({ lapsed: true });
      warn(words.lapsed);
    };
    this.timers = [setTimeout(() => warn(words.soon), Math.max(0, left - SOON)), setTimeout(lapse, left)];
  }
  stopWatching() {
    for (const timer of this.timers ?? []) clearTimeout(timer);
    for (const text of [this.props.words.soon, this.props.words.lapsed]) unsay(text);
  }

  remember() {
    const { view: { stage }, draft } = this.submission, { step, chosen } = this.view;
    if (stage === "sent") return;
    this.submission.remember({ time: step === "details" ? chosen : draft.time, fields: { ...draft.fields, ...this.said } });
  }
  // Booked: the hold has become the call. The next one begins anew.
  end() {
    const { chosen } = this.view;
    this.drop();
    this.name = newKey();
    this.show({ ...CLEAR, free: NONE, loaded: false, booked: chosen });
  }
}

// Each time with the name of its day.
const timesOf = (days) => days.flatMap((day) => day.times.map((time) => ({ ...time, day: day.words })));
const visitorsZone = () => {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  } catch {
    return "UTC";
  }
};

let one;
export const appointment = () => (one ??= new Appointment());
