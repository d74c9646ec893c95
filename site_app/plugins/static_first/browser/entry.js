// The script of every page, where the site has no other.
import { startOnIntent } from "$/static_first/start";

startOnIntent().then(() => (window.onclick = window.onsubmit = window.onpointerdown = null)); // it has taken over what they kept
