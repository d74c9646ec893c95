// The default script of every page, for sites without their own.
import { startOnIntent } from "$/static_first/start";

startOnIntent();
window.onclick = window.onsubmit = window.onpointerdown = null; // recorded by journal.js from here on
