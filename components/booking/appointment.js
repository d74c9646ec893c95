// The time being chosen for a call, apart from any component, so that a change of language or a closed dialog does not end it:
// what is offered, what is chosen, and the hold on it. The hold has a name of our own making, so that asking twice is asking once.
import { newKey, readDraft } from "$/components/reliable_form/draft";
import { submissionOf } from "$/components/reliable_form/submission";
import { ask, give, load } from "$/components/booking/slot_calls";
import { learnSlots, slotMoment } from "$/components/booking/slot_moment";
import { rowZone, visitorsZone } from "$/components/booking/places";

export const FORM = "consultation";
const SOON = 120000; // milliseconds before the end of a hold at which the visitor is told

const CLEAR = {
  step: "time", choice: "", wanted: "", heldSlot: "", until: 0, isUnheld: false, lapsed: false, lost: false, gone: "",
  trouble: "", spoken: "", busy: false, arrivals: 0,
};

class Appointment {
  constructor(zones) {
    const { start, fields: { slot: chosen = "", hold, time_zone: zone } = {} } = readDraft(FORM);
    if (start) learnSlots([{ id: chosen, start }]);
    const slot = chosen && !Number.isNaN(slotMoment(chosen).getTime()) ? chosen : "";
    this.name = hold ?? newKey();
    this.view = { ...CLEAR, slots: null, failed: false, zone: rowZone(zone ?? visitorsZone(), zones), choice: slot, step: slot ? "details" : "time" };
    this.listeners = new Set();
    this.way = null; // of whichever component is there: how questions leave, and what is said on the page
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

  get held() {
    return this.view.until > Date.now() ? this.name : "";
  }
  // What the form says beside its own fields.
  get said() {
    const { choice, zone, step } = this.view;
    return step === "details" ? { slot: choice, hold: this.name, time_zone: zone } : { time_zone: zone };
  }

  // The dialog opens: what was chosen before is held anew.
  async open() {
    this.isOpen = true;
    if (submissionOf(FORM).view.stage === "sent") return;
    const { step, lost } = this.view;
    await (step === "details" && !lost && !this.held ? this.hold() : this.load());
  }
  // It closes: somebody else may have the time, unless the call is on its way to be booked.
  close() {
    this.isOpen = false;
    if (this.held && !submissionOf(FORM).busy) this.release();
  }
  // The page goes: only a beacon is sure to leave.
  leave() {
    if (this.held && !submissionOf(FORM).busy) this.release({ byBeacon: true });
  }
  release({ byBeacon = false } = {}) {
    give(byBeacon ? null : this.way(), this.name);
    this.drop();
  }
  drop() {
    this.way().unsay();
    this.stopWatching();
    this.show({ until: 0, heldSlot: "", lapsed: false });
  }

  async load() {
    this.show({ failed: false });
    const slots = await load(this.way(), this.held);
    learnSlots(slots ?? []);
    const mine = this.view.step === "details" ? this.view.choice : "";
    const stays = !slots || !this.view.choice || mine || slots.some(({ id }) => id === this.view.choice);
    this.show(slots ? { slots, ...(!stays && { choice: "" }) } : { failed: true });
  }

  choose(choice) {
    this.show({ choice, trouble: "" });
  }
  move(zone) {
    this.show({ zone });
    this.remember();
  }
  // Back to the times; what is held stays so until another is.
  reconsider() {
    this.show({ step: "time", lost: false, trouble: "", arrivals: this.view.arrivals + 1 });
    return this.load();
  }

  async hold() {
    if (!this.view.choice) return this.show({ trouble: this.way().words.chooseOne });
    return this.settle(await this.during(ask(this.way(), "hold", { slot: this.view.choice, hold: this.name })));
  }
  async extend() {
    return this.settle(await this.during(ask(this.way(), "extend", { hold: this.name })));
  }
  async during(asked) {
    this.show({ busy: true, trouble: "" });
    const answer = await asked;
    this.show({ busy: false });
    return answer;
  }

  async settle({ outcome, seconds, message }) {
    if (!this.isOpen && outcome === "held") return give(this.way(), this.name); // closed meanwhile
    if (outcome === "refused") return this.lose(message);
    if (outcome === "none" && this.held && this.view.heldSlot === this.view.choice) return this.show({ trouble: this.way().words.failed });
    const { step, lost, arrivals } = this.view, arrives = step !== "details" || lost;
    const isUnheld = outcome === "none", until = isUnheld ? 0 : Date.now() + seconds * 1000;
    const spoken = arrives || isUnheld ? "" : this.way().words.kept;
    const heldSlot = isUnheld ? "" : this.view.choice;
    this.show({ step: "details", heldSlot, until, isUnheld, spoken, lapsed: false, lost: false, gone: "", arrivals: arrivals + (arrives ? 1 : 0) });
    this.remember();
    if (isUnheld) this.stopWatching();
    else this.watch();
    if (!this.view.slots) await this.load();
  }

  // Somebody was faster: the nearest free times are offered, and the form stays as it is.
  async lose(message) {
    const wanted = this.view.choice;
    if (wanted === this.view.heldSlot) this.drop(); // else the earlier hold still stands
    this.show({ gone: message });
    await this.load();
    this.show({ lost: true, wanted, choice: "", arrivals: this.view.arrivals + 1 });
  }

  refused(message) {
    if (this.view.choice) return this.lose(message);
    return this.show({ trouble: message, arrivals: this.view.arrivals + 1 });
  }

  watch() {
    this.stopWatching();
    this.way().unsay();
    const left = this.view.until - Date.now();
    this.timers = [
      setTimeout(() => this.way().saySoon(), Math.max(0, left - SOON)),
      setTimeout(() => {
        this.show({ lapsed: true });
        this.way().sayLapsed();
      }, left),
    ];
  }
  stopWatching() {
    for (const timer of this.timers ?? []) clearTimeout(timer);
    this.timers = [];
  }

  remember() {
    const submission = submissionOf(FORM);
    if (submission.view.stage === "sent") return;
    const start = this.view.choice && slotMoment(this.view.choice).toISOString();
    submission.remember({ start, fields: { ...submission.draft.fields, ...this.said } });
  }
  // Booked: the hold has become the call. The next one begins anew.
  end() {
    this.drop();
    this.name = newKey();
    this.show({ ...CLEAR, slots: null });
  }
}

let one;
export const appointment = (zones) => (one ??= new Appointment(zones));
