// The default script of every page, for sites without their own.
import { startOnIntent } from "$/static_first/start";

startOnIntent().then(() => (window.onclick = window.onsubmit = window.onpointerdown = null)); // it has taken over the stored events
