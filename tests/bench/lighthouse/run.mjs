// Runs Lighthouse over several addresses in rounds, A B C, A B C, each with a fresh browser, and writes what was read as JSON.
// node run.mjs '{"modules": "folder with node_modules", "chrome": "/path", "form": "mobile", "runs": 5, "urls": {"name": "http://…"}}'
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const job = JSON.parse(process.argv[2]);
const find = createRequire(join(job.modules, "x.js"));
const load = (name) => import(pathToFileURL(find.resolve(name)));
const [{ default: lighthouse, desktopConfig }, { launch }] = [await load("lighthouse"), await load("chrome-launcher")];
const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--no-first-run", "--disable-dev-shm-usage"];
const QUIET_AFTER_LOAD_MS = 500; // the boot script waits a second after load: what starts later is what idleness brought
const TRIES = 4;
const LONG_MS = 50, PHONE = 4; // a task that blocks; the slow phone's processor, by Lighthouse

async function look(url) {
  const chrome = await launch({ chromePath: job.chrome, chromeFlags: FLAGS, logLevel: "silent" });
  try {
    const config = job.form === "desktop" ? desktopConfig : undefined;
    const options = { port: chrome.port, logLevel: "error", output: "json", additionalTraceCategories: "toplevel" };
    const { lhr, artifacts } = await lighthouse(url, options, config);
    if (lhr.runtimeError || lhr.categories.performance.score === null) throw new Error(lhr.runtimeError?.message ?? "no score");
    return { ...read(lhr), tbt_cpu_ms: blockedOwn(artifacts.Trace.traceEvents, url, job.form === "desktop" ? 1 : PHONE) };
  } finally {
    await chrome.kill();
  }
}

function read(lhr) {
  const value = (name) => lhr.audits[name].numericValue;
  const score = (name) => Math.round(lhr.categories[name].score * 100);
  const sent = lhr.audits["network-requests"].details.items.filter((one) => /^https?:/.test(one.url));
  const bytes = (some) => some.reduce((sum, one) => sum + (one.transferSize || 0), 0);
  const start = Math.min(...sent.map((one) => one.networkRequestTime));
  const loaded = lhr.audits.metrics.details.items[0].observedLoad + QUIET_AFTER_LOAD_MS;
  const before = sent.filter((one) => one.networkRequestTime - start <= loaded);
  const images = (one) => one.resourceType === "Image";
  return {
    performance: score("performance"), accessibility: score("accessibility"), best_practices: score("best-practices"), seo: score("seo"),
    fcp_ms: value("first-contentful-paint"), lcp_ms: value("largest-contentful-paint"), tbt_ms: value("total-blocking-time"),
    cls: value("cumulative-layout-shift"), script_ms: lhr.audits["bootup-time"].numericValue ?? 0,
    bytes_first: bytes(before.filter((one) => !images(one))), bytes_all: bytes(sent), requests: sent.length,
    bytes_html: bytes(sent.filter((one) => one.resourceType === "Document")), bytes_script: bytes(sent.filter((one) => one.resourceType === "Script")),
    benchmark: lhr.environment.benchmarkIndex, lighthouse: lhr.lighthouseVersion, browser: lhr.environment.hostUserAgent.match(/Chrome\/([\d.]+)/)[1],
  };
}

// TBT by the processor time of the tasks: what others on the machine take from the page is not in it. From the very start on: Lighthouse
// counts from the first paint, but from where its model has that, and much of the first layout is after it.
function blockedOwn(events, url, slower) {
  const page = events.filter((one) => one.name === "navigationStart" && one.args?.data?.documentLoaderURL === url).pop();
  const own = (one) => one.pid === page.pid && one.tid === page.tid && one.ph === "X" && one.name.includes("ThreadControllerImpl::RunTask");
  const tasks = events.filter((one) => own(one) && one.ts > page.ts).map((one) => ((one.tdur ?? 0) / 1000) * slower);
  if (!tasks.length) throw new Error("the trace has no tasks");
  return tasks.reduce((sum, ms) => sum + Math.max(0, ms - LONG_MS), 0);
}

const rows = Object.fromEntries(Object.keys(job.urls).map((name) => [name, []]));
for (let round = 0; round < job.runs; round++) {
  for (const [name, url] of Object.entries(job.urls)) {
    for (let tried = 1; ; tried++) {
      try {
        rows[name].push(await look(url));
        break;
      } catch (error) {
        if (tried === TRIES) throw error;
        console.error(`again ${name}: ${error.message}`);
      }
    }
    const { performance, lcp_ms, tbt_ms } = rows[name].at(-1);
    console.error(`    ${job.form} ${round + 1}/${job.runs} ${name}: ${performance}, LCP ${Math.round(lcp_ms)}, TBT ${Math.round(tbt_ms)}`);
  }
}
console.log(JSON.stringify(rows));
