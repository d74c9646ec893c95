// Judges the cases on standard input as the browser would; one line of JSON each.
import { createInterface } from "node:readline";
import { read } from "./reading.js";

for await (const line of createInterface({ input: process.stdin })) {
  const [text, region, only, ignored] = JSON.parse(line);
  const { number, ext, country, possible, valid, verdict, formatted, nationalNumber } = read(text, { region, only, ignored });
  console.log(JSON.stringify({ number, ext, country, possible, valid, reason: verdict, formatted, national_number: nationalNumber }));
}
