// Reads the texts of rx.call_script as the browser will, without running them.
// stdin: { codes }; stdout: for each the advice on what to write instead, or ""
import { readFileSync } from "node:fs";
import { adviceOn } from "./browser/evaluate.js";

const { codes } = JSON.parse(readFileSync(0));
process.stdout.write(JSON.stringify(codes.map(adviceOn)));
