// The reader scripts: what a page does without React, also used after React has started. The build bundles them into the page's script
// (see entry.js); in development the app imports them.
import { dialogs } from "$/components/browser/reading/dialogs";
import { languages } from "$/components/browser/reading/languages";
import { answers, menus } from "$/components/browser/reading/disclosures";
import { messages } from "$/components/browser/reading/messages";
import { pageViews } from "$/components/browser/reading/page_views";
import { headlineFont } from "$/components/browser/reading/headline_font";
import { theme } from "$/components/browser/reading/theme";

const PARTS = [theme, menus, dialogs, answers, messages, languages, headlineFont, pageViews];

/** Starts all parts. Reports a part that fails without stopping the others. Resolves when all parts handle clicks. */
export const read = () => Promise.all(PARTS.map(async (begin) => begin()).map((part) => part.catch(reportError)));
