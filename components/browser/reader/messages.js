// Short messages at the foot of the page, from reader scripts and from React; the code that shows them loads with the first message.
import { NOT_FOUND, onPageShown } from "$/components/browser/page_events";
import { SNACKBAR, SNACKBAR_HIDE } from "$/components/reliable_form/messages";

const snackbar = () => import("$/components/browser/reader/snackbar");

// Tells a visitor who was redirected to the home page that the page was not found; removes the anchor for it from the address.
const showIfNotFound = () => {
  if (location.hash !== NOT_FOUND) {
    return;
  }
  history.replaceState(history.state, "", location.pathname + location.search);
  snackbar().then(
    ({ showNotFound }) => showNotFound(),
    () => {},
  );
};

/** Shows and hides messages on the events of reliable_form/messages.js. */
export const startMessages = () => {
  addEventListener(SNACKBAR, ({ detail }) =>
    snackbar().then(
      ({ show }) => show(detail),
      () => {},
    ),
  );
  addEventListener(SNACKBAR_HIDE, ({ detail }) =>
    snackbar().then(
      ({ hide }) => hide(detail),
      () => {},
    ),
  );
  showIfNotFound();
  onPageShown(showIfNotFound);
};
