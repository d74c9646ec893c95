// Booking a call: a time first, which is then held while the form is filled in. Its children are the form, what is said when no time
// is left, and what is said when the times cannot be loaded; that last one has a button to try again.
import { Children, useEffect, useRef, useSyncExternalStore } from "react";
import { submissionOf } from "$/components/reliable_form/submission";
import { appointment, FORM } from "$/components/booking/appointment";
import { BookingContext } from "$/components/booking/booking_context";
import { placeIn } from "$/components/booking/places";
import { ChooseTime } from "$/components/booking/choose_time";
import { HeldTime } from "$/components/booking/held_time";
import { hear, hearSlots } from "$/components/booking/slot_calls";
import { say, unsay } from "$/components/browser/page_events";

const useStore = (store) => useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot);

export const Booking = (props) => {
  const { id, host, zones, words, children } = props;
  const [form, none, failure] = Children.toArray(children);
  const time = appointment(zones), view = useStore(time), submission = useStore(submissionOf(FORM));
  const box = useRef(null), way = useWay(props);
  const sent = submission.stage === "sent", saying = { words, place: placeIn(zones) };

  useEffect(() => {
    time.way = way;
  });
  useAnswers(props);
  useWhileOpen(box, time);
  useSubmission(submission, time);
  useArrival(view.arrivals, box);
  useEffect(() => {
    const add = ({ target, formData }) => {
      if (target.id === id) for (const [name, value] of Object.entries(time.said)) formData.set(name, value);
    };
    document.addEventListener("formdata", add);
    return () => document.removeEventListener("formdata", add);
  }, [id]);

  const part = { time, view, host, zones, words, saying };
  return (
    <BookingContext.Provider value={part}>
      <div className="booking" ref={box}>
        {!sent && (view.step === "time" ? <ChooseTime {...part} none={none} failure={failure} /> : <HeldTime {...part} />)}
        <div hidden={!sent && view.step === "time"}>{form}</div>
        <p className="sr-only" role="status">{view.spoken}</p>
      </div>
    </BookingContext.Provider>
  );
};

// How questions leave and what is said on the page; asked for anew each time, because words change with the language.
const useWay = (props) => {
  const latest = useRef(props);
  latest.current = props;
  const way = () => {
    const { apiKey, socketDown, words, onLoad, onHold, onExtend, onRelease } = latest.current;
    const tell = {
      load: ({ hold }) => onLoad(hold),
      hold: ({ slot, hold }, question) => onHold(slot, hold, question),
      extend: ({ hold }, question) => onExtend(hold, question),
      release: ({ hold }) => onRelease(hold),
    };
    const keep = { label: words.keepShort, run: () => appointment().extend() };
    const warn = (text) => say({ type: "warning", text, timeout: 0, action: keep });
    return {
      apiKey, socketDown, words,
      tell: (kind, said, question) => tell[kind](said, question),
      saySoon: () => warn(words.soon),
      sayLapsed: () => (unsay(words.soon), warn(words.lapsed)),
      unsay: () => (unsay(words.soon), unsay(words.lapsed)),
    };
  };
  return way;
};

// What the state says is passed on to whoever has asked.
const useAnswers = ({ slots, loads, failed, held }) => {
  const first = useRef({ loads, held });
  useEffect(() => {
    if (loads !== first.current.loads) hearSlots(failed ? null : slots);
    first.current.loads = loads;
  }, [loads]);
  useEffect(() => {
    if (held !== first.current.held) hear(held.ask, held);
    first.current.held = held;
  }, [held]);
};

const useWhileOpen = (box, time) => {
  useEffect(() => {
    const dialog = box.current.closest("dialog");
    let open = time.isOpen && dialog.open; // another language takes over
    const look = () => {
      if (dialog.open === open) return;
      open = dialog.open;
      if (open) time.open();
      else time.close();
    };
    const back = ({ persisted }) => persisted && dialog.open && time.open();
    const leave = () => time.leave();
    look();
    const observer = new MutationObserver(look);
    observer.observe(dialog, { attributeFilter: ["open"] });
    addEventListener("pagehide", leave);
    addEventListener("pageshow", back);
    return () => {
      observer.disconnect();
      removeEventListener("pagehide", leave);
      removeEventListener("pageshow", back);
    };
  }, []);
};

// A time that was refused with the form is lost; one that was booked is done with.
const useSubmission = ({ stage, errors, refusals }, time) => {
  const before = useRef({ stage, refusals });
  useEffect(() => {
    if (stage === "sent") time.end();
    else if (before.current.stage === "sent") time.open().then(() => time.show({ arrivals: time.view.arrivals + 1 }));
    before.current.stage = stage;
  }, [stage]);
  useEffect(() => {
    if (refusals !== before.current.refusals && errors.slot) time.refused(errors.slot);
    before.current.refusals = refusals;
  }, [refusals]);
};

// A new step takes the focus to its heading.
const useArrival = (arrivals, box) => {
  const seen = useRef(arrivals);
  useEffect(() => {
    if (arrivals === seen.current) return;
    seen.current = arrivals;
    box.current.querySelector("[data-arrival]")?.focus();
  }, [arrivals]);
};
