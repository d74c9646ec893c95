// The time went to somebody else: the nearest free ones.
import { Slots } from "$/components/booking/slots";
import { FieldError } from "$/components/ui/field";

export const LostTime = ({ time, view: { step, lost, chosen, trouble }, words }) => {
  const near = time.nearest;
  const isStep = step === "time"; // then all others stand below, and the button too
  const submit = (event) => {
    event.preventDefault();
    time.hold();
  };
  return (
    <form className="lost" onSubmit={submit} noValidate>
      <div role="alert"><p className="lost-title" tabIndex={-1} data-arrival="">{lost.message}</p></div>
      {near.length > 0 && (
        <fieldset>
          <legend>{words.nearest}</legend>
          <Slots times={near} chosen={chosen} onChoose={(one) => time.choose(one)} withDay />
        </fieldset>
      )}
      {!isStep && trouble && <div role="alert"><FieldError id="lost" error={trouble} /></div>}
      {!isStep && (
        <div className="submit-row">
          {near.length > 0 && <button type="submit" className="button button-strong">{words.take}</button>}
          <button type="button" className="button-text" onClick={() => time.reconsider()}>{words.all}</button>
        </div>
      )}
    </form>
  );
};
