// The link to the plain page, for when the state does not respond. Not in Python, because it must pass on the tab's draft, and work while the
// server does not respond.
import { attribution, attributionForAddress } from "$/components/reliable_form/attribution";
import { backendUrl } from "$/components/reliable_form/backend";
import { readDraft } from "$/components/reliable_form/draft";
import { isForBrowser } from "$/static_first/press";

/** How the visitor leaves this page: the plain page, if that is next, owns the hold. */
export const departure = { isToPlainPage: false };

/** A link to the plain page that passes on the choice in the address, or, once the form was reached, posts the form with the typed text. */
export const PlainBookingLink = ({ form, href, zone, slot, day, callLanguage, className, children }) => {
  const plainPage = backendUrl(href);
  const onClick = (event) => {
    if (isForBrowser(event)) {
      return;
    }
    const link = event.currentTarget;
    const draft = readDraft(form);
    const { beside = {}, fields = {} } = draft;
    // The state may not have learnt of the last press before its socket closed; the screen has it.
    const onScreen = link.closest("dialog")?.querySelector(".slot input:checked")?.value;
    const choice = { slot: beside.slot || onScreen || slot, zone: beside.time_zone || zone, callLanguage };
    const isFormReached = beside.slot || Object.keys(fields).length > 0;
    if (isFormReached) {
      event.preventDefault();
      departure.isToPlainPage = true;
      postTo(`${plainPage}/details?${queryOf({ ...choice, hold: beside.hold })}`, postedValues(draft, choice.slot));
    } else {
      link.href = `${plainPage}?${queryOf({ ...choice, day, ...attributionForAddress() })}`;
    }
  };
  return (
    <a href={plainPage} className={className} onClick={onClick}>
      {children}
    </a>
  );
};

// Returns the choice as the plain page reads it.
const queryOf = ({ zone, slot, callLanguage, day = "", hold = "", ...rest }) =>
  new URLSearchParams({
    zone,
    ...(slot && { slot }),
    ...(callLanguage && { speak: callLanguage }),
    ...(day && { day }),
    ...(hold && { hold }),
    ...rest,
  });

const postedValues = ({ fields = {}, key = "", token = "" }, slot) => {
  const action = slot ? "keep" : "show";
  return { ...fields, ...attribution(), key, token, slot, do: action };
};

// Leaves the page by posting a form with these values.
const postTo = (action, values) => {
  const carrier = Object.assign(document.createElement("form"), { method: "post", action, hidden: true });
  for (const [name, value] of Object.entries(values)) {
    carrier.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(carrier);
  carrier.submit();
};
