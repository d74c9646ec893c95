// The reader scripts: what a page does without React, also used after React has started. The build bundles them into the page's script
// (see entry.js); in development the app imports them.
import { arrival } from "$/components/browser/reading/arrival";
import { dialogs } from "$/components/browser/reading/dialogs";
import { languages } from "$/components/browser/reading/languages";
import { answers, menus } from "$/components/browser/reading/disclosures";
import { messages } from "$/components/browser/reading/messages";
import { pageViews } from "$/components/browser/reading/page_views";
import { headlineFont } from "$/components/browser/reading/headline_font";
import { onPageShown } from "$/components/browser/page_events";
import { theme } from "$/components/browser/reading/theme";

// Only long texts have contents to mark.
const contents = async () => {
  const mark = async () => {
    if (document.querySelector(".side-contents")) {
      (await import("$/components/browser/reading/contents")).contents();
    }
  };
  await mark();
  onPageShown(mark);
};

const PARTS = [theme, menus, dialogs, answers, messages, languages, headlineFont, pageViews, arrival, contents];

/** Starts all parts. Reports a part that fails without stopping the others. Resolves when all parts handle clicks. */
export const read = () => Promise.all(PARTS.map(async (begin) => begin()).map((part) => part.catch(reportError)));
