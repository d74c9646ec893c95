// The script of every built page.
import { PLACES } from "$/components/browser/page_events";
import { hasDraft, keepTyped, keepTypedBefore } from "$/components/reliable_form/before_react";
import { startOnIntent } from "$/static_first/start";
import { read } from "$/components/browser/reading/reading";

// Where a browser has been told to leave the place on the page to the script, Back from another document would begin at the top.
const returnToPlace = () => {
  if (history.scrollRestoration !== "manual") {
    return;
  }
  history.scrollRestoration = "auto";
  try {
    const top = JSON.parse(sessionStorage.getItem(PLACES) ?? "{}")[history.state?.key];
    if (top) {
      scrollTo({ top, behavior: "instant" });
    }
  } catch {
    // storage is forbidden: nothing was remembered
  }
};

returnToPlace();
startOnIntent({
  needsReact: "[data-needs-react], [data-draft] button",
  isMeant: hasDraft(),
  onStart: () => import("$/components/browser/reading/snackbar").catch(() => {}), // should the server be away when there is something to say
});
addEventListener("input", keepTyped);
keepTypedBefore();
read().then(() => (window.onclick = window.onsubmit = window.onpointerdown = null)); // its parts have seen what came before
