// The events of the window by which the start of React and the scripts of a page notify each other.

export const INTENT = "intent"; // a script needs React: start.js starts it
export const HYDRATED = "hydrated"; // React handles the page from now on
export const INTERACTION_FAILED = "interaction-failed"; // React did not load
