// What a booking comes to, inside the form's result: when, where, into which calendar, and the way to change it.
import { useForm } from "$/components/reliable_form/context";

export const BookedCall = ({ words }) => {
  const { more } = useForm().result;
  if (!more?.day || !more.calendar || !more.manage_url || !more.conferencing_url) return null; // another provider may say less
  const calendars = [["google", "Google Calendar"], ["outlook", "Outlook"]];
  return (
    <>
      <dl className="booked">
        <div>
          <dt>{words.when}</dt>
          <dd><time dateTime={more.slot.start}><strong>{more.day}</strong>{more.clocks}</time></dd>
        </div>
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
