// Short messages at the foot of the page, from reader scripts and from React; the code that shows them loads with the first message.
import { NOT_FOUND } from "$/components/browser/page";
import { onPageShown } from "$/components/browser/page_events";
import { SNACKBAR, SNACKBAR_HIDE } from "$/components/messages/events";

// Loads the code that shows messages, and calls `use` with it. Without a response the message is not shown.
const withSnackbar = (use) => import("$/components/messages/snackbar").then(use, () => {});

// Tells a visitor who was redirected to the home page that the page was not found; removes the anchor for it from the address.
const showIfNotFound = () => {
  if (location.hash !== NOT_FOUND) {
    return;
  }
  history.replaceState(history.state, "", location.pathname + location.search);
  withSnackbar(({ showNotFound }) => showNotFound());
};

/** Shows and hides messages on the events of events.js. */
export const startMessages = () => {
  addEventListener(SNACKBAR, ({ detail }) => withSnackbar(({ show }) => show(detail)));
  addEventListener(SNACKBAR_HIDE, ({ detail }) => withSnackbar(({ hide }) => hide(detail)));
  showIfNotFound();
  onPageShown(showIfNotFound);
};
