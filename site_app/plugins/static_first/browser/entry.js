// The default script of every page, for sites without their own.
import { stopEarlyRecording } from "$/static_first/early";
import { startOnIntent } from "$/static_first/start";

startOnIntent();
stopEarlyRecording(); // journal.js records from here on
