// The script of every page, where the site has no other.
import { startOnIntent } from "$/static_first/start";

startOnIntent();
window.onclick = window.onsubmit = window.onpointerdown = null; // recorded by journal.js from here on
