// Times as real choices on both clocks; where their day is not said above them, each says its own.
export const Slots = ({ times, chosen, onChoose, withDay = false }) => (
  <div className={withDay ? "slots slots-with-day" : "slots"}>
    {times.map((time) => (
      <label className="slot" key={time.id}>
        <input type="radio" name="time" value={time.id} checked={chosen?.id === time.id} onChange={() => onChoose(time)} />
        {withDay && <span className="slot-day">{time.day}</span>}
        <span className="sr-only">{time.clocks}</span>
        <span className="slot-time" aria-hidden="true">{time.here}</span>
        {time.there && <small className="slot-there" aria-hidden="true">{time.there}</small>}
      </label>
    ))}
  </div>
);
