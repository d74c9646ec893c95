// The events of the window by which the reader scripts and React's components notify each other. More events are defined beside what sends
// them: static_first/events.js, messages/events.js and reliable_form/draft.js.
import { INTENT } from "$/static_first/events";

export const PRELOAD_ERROR = "preload-error"; // code of a page or dialog did not load; for scripts that the site does not know
const PAGE_SHOWN = "page-shown";

/** Requests the start of React: the visitor begins something that only React can handle. */
export const requestReact = () => dispatchEvent(new Event(INTENT));

/** Announces that React shows another page, or another place on this page: { from, pathname }. */
export const announcePage = (detail) => dispatchEvent(new CustomEvent(PAGE_SHOWN, { detail }));
/** Calls `listener` whenever React shows another page, or another place on this page. */
export const onPageShown = (listener) => addEventListener(PAGE_SHOWN, ({ detail }) => listener(detail));
