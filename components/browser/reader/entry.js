// The script of every built page.
import { SCROLL_POSITIONS_KEY } from "$/components/browser/page";
import { hasDraft, storeTyped, storeTypedBefore } from "$/components/reliable_form/before_react";
import { stopEarlyRecording } from "$/static_first/early";
import { startOnIntent } from "$/static_first/start";
import { startReaderScripts } from "$/components/browser/reader/start";

// Restores the scroll position: with manual scroll restoration, Back from another document would otherwise start at the top.
const restoreScroll = () => {
  if (history.scrollRestoration !== "manual") {
    return;
  }
  history.scrollRestoration = "auto";
  try {
    const top = JSON.parse(sessionStorage.getItem(SCROLL_POSITIONS_KEY) ?? "{}")[history.state?.key];
    if (top) {
      scrollTo({ top, behavior: "instant" });
    }
  } catch {
    // the browser forbids storage, so nothing was saved
  }
};

restoreScroll();
startOnIntent({
  needsReact: "[data-needs-react], [data-draft] button",
  startsNow: hasDraft(),
  onStart: () => import("$/components/messages/snackbar").catch(() => {}), // loaded now, in case the server is down when a message is due
});
addEventListener("input", storeTyped);
storeTypedBefore();
startReaderScripts().then(stopEarlyRecording); // its parts have seen what came before
