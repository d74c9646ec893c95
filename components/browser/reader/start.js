// The reader scripts: what a page does without React, also used after React has started. The build bundles them into the page's script
// (see entry.js); in development the app imports them.
import { rememberArrival } from "$/components/browser/reader/arrival";
import { startDialogs } from "$/components/browser/reader/dialogs";
import { startLanguages } from "$/components/browser/reader/languages";
import { startAnswers, startMenus } from "$/components/browser/reader/disclosures";
import { startMessages } from "$/components/messages/listener";
import { startPageViews } from "$/components/browser/reader/page_views";
import { startHeadlineFont } from "$/components/browser/reader/headline_font";
import { onPageShown } from "$/components/browser/page_events";
import { startTheme } from "$/components/browser/reader/theme";

// Only long texts have contents to mark.
const startContents = async () => {
  const startIfPresent = async () => {
    if (document.querySelector(".side-contents")) {
      (await import("$/components/browser/reader/contents")).startContents();
    }
  };
  await startIfPresent();
  onPageShown(startIfPresent);
};

const PARTS = [
  startTheme,
  startMenus,
  startDialogs,
  startAnswers,
  startMessages,
  startLanguages,
  startHeadlineFont,
  startPageViews,
  rememberArrival,
  startContents,
];

// Reports a part that fails, so that it does not stop the others.
const startPart = async (start) => {
  try {
    await start();
  } catch (error) {
    reportError(error);
  }
};

/** Starts all parts. Resolves when all parts handle clicks. */
export const startReaderScripts = () => Promise.all(PARTS.map(startPart));
