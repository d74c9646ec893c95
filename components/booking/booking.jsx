// Booking a call: a time first, which is then held while the form is filled in. Its children are the form, what is said when no time
// is left, and what is said when the times cannot be loaded; that last one has a button to try again.
import { Children, useEffect, useRef, useSyncExternalStore } from "react";
import { submissionOf } from "$/components/reliable_form/submission";
import { appointment } from "$/components/booking/appointment";
import { ChooseTime, HeldTime } from "$/components/booking/steps";

const useStore = (store) => useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot);

export const Booking = (props) => {
  const { id, words, children } = props;
  const [form, none, failure] = Children.toArray(children);
  const time = appointment(), view = useStore(time), { stage, errors, refusals } = useStore(submissionOf("consultation"));
  const box = useRef(null), before = useRef({ stage, refusals, arrivals: view.arrivals });
  const sent = stage === "sent", part = { time, view, words };

  useEffect(() => {
    time.props = props;
  });
  useWhileOpen(box, time);
  // A time that was refused with the form is lost; one that was booked is done with.
  useEffect(() => {
    if (sent) time.end();
    else if (before.current.stage === "sent") time.open().then(() => time.arrive());
    before.current.stage = stage;
  }, [stage]);
  useEffect(() => {
    if (refusals !== before.current.refusals && errors.slot) time.refused(errors.slot);
    before.current.refusals = refusals;
  }, [refusals]);
  // A new step takes the focus to its heading.
  useEffect(() => {
    if (view.arrivals !== before.current.arrivals) box.current.querySelector("[data-arrival]")?.focus();
    before.current.arrivals = view.arrivals;
  }, [view.arrivals]);
  useEffect(() => {
    const add = ({ target, formData }) => {
      if (target.id === id) for (const [name, value] of Object.entries(time.said)) formData.set(name, value);
    };
    document.addEventListener("formdata", add);
    return () => document.removeEventListener("formdata", add);
  }, [id]);

  return (
    <div className="booking" ref={box}>
      {!sent && (view.step === "time" ? <ChooseTime {...part} none={none} failure={failure} /> : <HeldTime {...part} />)}
      <div hidden={!sent && view.step === "time"}>{form}</div>
      <p className="sr-only" role="status">{view.spoken}</p>
    </div>
  );
};

const useWhileOpen = (box, time) => {
  useEffect(() => {
    const dialog = box.current.closest("dialog");
    let open = false;
    const look = () => {
      if (dialog.open === open) return;
      open = dialog.open;
      if (open) time.open();
      else time.close();
    };
    const back = ({ persisted }) => persisted && dialog.open && time.open();
    const leave = () => time.close();
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
