// What a page does without React: plain script that React, once it is there, goes on using. The build bundles it into the one script
// that a reader gets (see entry.js); in development the app imports it.
import { arrival } from "$/components/browser/reading/arrival";
import { dialogs } from "$/components/browser/reading/dialogs";
import { languages } from "$/components/browser/reading/languages";
import { answers, menus } from "$/components/browser/reading/disclosures";
import { messages } from "$/components/browser/reading/messages";
import { pageViews } from "$/components/browser/reading/page_views";
import { headlineFont } from "$/components/browser/reading/headline_font";
import { theme } from "$/components/browser/reading/theme";

const PARTS = [theme, menus, dialogs, answers, messages, languages, headlineFont, pageViews, arrival];

/** One part that fails is reported and stops no other. Resolves when all of them answer clicks. */
export const read = () => Promise.all(PARTS.map(async (begin) => begin()).map((part) => part.catch(reportError)));
