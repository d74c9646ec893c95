// What a booking comes to, inside the form's result: when, where, into which calendar, and the way to change it.
import { useContext } from "react";
import { useForm } from "$/components/reliable_form/context";
import { BookingContext } from "$/components/booking/booking_context";
import { bothClocks, dayWords } from "$/components/booking/clocks";

export const BookedCall = () => {
  const { more } = useForm().result, { host, words, saying } = useContext(BookingContext);
  if (!more?.slot?.start || !more.calendar || !more.manage_url || !more.conferencing_url) return null; // another provider may say less
  const moment = new Date(more.slot.start);
  const calendars = [["google", "Google Calendar"], ["outlook", "Outlook"]];
  return (
    <>
      <dl className="booked">
        <div>
          <dt>{words.when}</dt>
          <dd>
            <time dateTime={more.slot.start}>
              <strong>{dayWords(moment, more.time_zone, words.tag, true)}</strong>
              {bothClocks(moment, more.time_zone, host, saying)}
            </time>
          </dd>
        </div>
        <div>
          <dt>{words.video}</dt>
          <dd><a href={more.conferencing_url} rel="noreferrer" target="_blank">{more.conferencing_url.replace(/^https:\/\//, "")}</a></dd>
        </div>
      </dl>
      <h4 className="result-subtitle">{words.calendar}</h4>
      <div className="booked-links">
        <a className="button button-strong" href={more.calendar.ics} download="call.ics">{words.file}</a>
        {calendars.map(([name, label]) => (
          <a key={name} className="button button-quiet" href={more.calendar[name]} rel="noreferrer" target="_blank">{label}</a>
        ))}
      </div>
      <p className="booked-manage"><a href={more.manage_url}>{words.manage}</a></p>
    </>
  );
};
