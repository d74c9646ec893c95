// What a booking comes to, inside the form's result: when, where, into which calendar, and the way to change it.
import { useSyncExternalStore } from "react";
import { useForm } from "$/components/reliable_form/context";
import { appointment } from "$/components/booking/appointment";

export const BookedCall = ({ words }) => {
  const { more } = useForm().result, time = appointment();
  const { booked } = useSyncExternalStore(time.subscribe, time.snapshot, time.snapshot);
  const isWhole = more?.day && more.calendar && more.manage_url && more.conferencing_url; // another provider may say less
  if (!isWhole) return booked && <dl className="booked"><When words={words} {...booked} /></dl>;
  const calendars = [["google", "Google Calendar"], ["outlook", "Outlook"]];
  return (
    <>
      <dl className="booked">
        <When words={words} start={more.slot.start} day={more.day} clocks={more.clocks} />
        <div>
          <dt>{words.video}</dt>
          <dd><a className="plain-link" href={more.conferencing_url} rel="noreferrer" target="_blank">{more.conferencing_url.replace(/^https:\/\//, "")}</a></dd>
        </div>
      </dl>
      <h4 className="result-subtitle">{words.calendar}</h4>
      <div className="booked-links">
        <a className="button button-strong" href={more.calendar.ics} download="call.ics">{words.file}</a>
        {calendars.map(([name, label]) => (
          <a key={name} className="button button-quiet" href={more.calendar[name]} rel="noreferrer" target="_blank">{label}</a>
        ))}
      </div>
      <p className="booked-manage"><a className="plain-link" href={more.manage_url}>{words.manage}</a></p>
    </>
  );
};

const When = ({ words, start, day, clocks }) => (
  <div>
    <dt>{words.when}</dt>
    <dd><time dateTime={start}><strong>{day}</strong>{clocks}</time></dd>
  </div>
);
