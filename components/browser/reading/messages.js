// Short messages at the foot of the page, from plain script and from React alike; what shows them is fetched with the first.
import { NOT_FOUND, onPageShown } from "$/components/browser/page_events";

const snackbar = () => import("$/components/browser/reading/snackbar");

// Tells the visitor who was brought home that the page asked for is not there: the address says so, and then no longer.
const tellNotFound = () => {
  if (location.hash !== NOT_FOUND) {
    return;
  }
  history.replaceState(history.state, "", location.pathname + location.search);
  snackbar().then(
    ({ sayNotFound }) => sayNotFound(),
    () => {},
  );
};

export const messages = () => {
  addEventListener("snackbar", ({ detail }) =>
    snackbar().then(
      ({ show }) => show(detail),
      () => {},
    ),
  );
  addEventListener("snackbar-unsay", ({ detail }) =>
    snackbar().then(
      ({ forget }) => forget(detail),
      () => {},
    ),
  );
  tellNotFound();
  onPageShown(tellNotFound);
};
