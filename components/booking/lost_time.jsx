// The time went to somebody else: the nearest free ones.
import { Slots } from "$/components/booking/day_list";
import { dayWords, dateIn } from "$/components/booking/clocks";
import { slotMoment } from "$/components/booking/slot_moment";
import { FieldError } from "$/components/ui/field";

const NEAREST = 3;

export const LostTime = (props) => {
  const { time, view, words } = props;
  const near = nearest(view.slots ?? [], view.wanted);
  const isStep = view.step === "time"; // then all others stand below, and the button too
  const submit = (event) => {
    event.preventDefault();
    if (!view.busy) time.hold();
  };
  const days = [...new Set(near.map(({ start }) => dateIn(new Date(start), view.zone)))];
  const inDay = (date) => near.filter(({ start }) => dateIn(new Date(start), view.zone) === date);
  return (
    <form className="lost" onSubmit={submit} noValidate>
      <div role="alert"><p className="lost-title" tabIndex={-1} data-arrival="">{view.gone}</p></div>
      {near.length > 0 && <p>{words.nearest}</p>}
      {days.map((date) => (
        <fieldset key={date} className="day">
          <legend className="lost-day">{dayWords(new Date(inDay(date)[0].start), view.zone, words.tag)}</legend>
          <Slots {...props} slots={inDay(date)} />
        </fieldset>
      ))}
      {!isStep && view.trouble && <div role="alert"><FieldError id="lost" error={view.trouble} /></div>}
      {!isStep && (
        <div className="submit-row">
          {near.length > 0 && <button type="submit" className="button button-strong">{words.take}</button>}
          <button type="button" className="button-text" onClick={() => time.reconsider()}>{words.all}</button>
        </div>
      )}
    </form>
  );
};

const nearest = (slots, wanted) => {
  const moment = slotMoment(wanted).getTime(), far = ({ start }) => Math.abs(new Date(start).getTime() - moment);
  return [...slots].sort((one, other) => far(one) - far(other)).slice(0, NEAREST).sort((one, other) => (one.start < other.start ? -1 : 1));
};
