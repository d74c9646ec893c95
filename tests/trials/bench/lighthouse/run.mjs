// Runs Lighthouse over several addresses in rounds, A B C, A B C, each with a fresh browser, and writes a line of JSON for each run.
// node run.mjs '{"modules": "folder with node_modules", "chrome": "/path", "form": "mobile", "runs": 3, "urls": {"name": "http://…"}, "scored": ["name"]}'
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const job = JSON.parse(process.argv[2]);
const packageOf = createRequire(join(job.modules, "x.js"));
const load = (name) => import(pathToFileURL(packageOf.resolve(name)));
const [{ default: lighthouse, desktopConfig }, { launch }] = [await load("lighthouse"), await load("chrome-launcher")];
const CHROME = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-dev-shm-usage",
];
const TRIES = 4;
const PATIENCE_MS = 90_000;
const SLOW = ["bf-cache"]; // an audit that leaves the page and comes back

// Returns the figures of one run. `allScores`: also accessibility, best practices and SEO, which do not change from run to run.
async function measure(url, allScores) {
  const chrome = await launch({ chromePath: job.chrome, chromeFlags: CHROME, logLevel: "silent" });
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), PATIENCE_MS);
  });
  try {
    const only = allScores ? {} : { onlyCategories: ["performance"], skipAudits: SLOW, disableFullPageScreenshot: true };
    const options = { port: chrome.port, logLevel: "error", output: "json", ...only };
    const { lhr } = await Promise.race([timeout, lighthouse(url, options, job.form === "desktop" ? desktopConfig : undefined)]);
    if (lhr.runtimeError || lhr.categories.performance.score === null) {
      throw new Error(lhr.runtimeError?.message ?? "no score");
    }
    return figuresOf(lhr);
  } finally {
    clearTimeout(timer);
    await chrome.kill();
  }
}

function figuresOf(lhr) {
  const value = (name) => lhr.audits[name].numericValue ?? 0;
  const requests = lhr.audits["network-requests"].details.items.filter((request) => /^https?:/.test(request.url));
  const scores = Object.entries(lhr.categories).map(([name, { score }]) => [name.replace("-", "_"), Math.round(score * 100)]);
  return {
    ...Object.fromEntries(scores),
    fcp_ms: value("first-contentful-paint"),
    lcp_ms: value("largest-contentful-paint"),
    tbt_ms: value("total-blocking-time"),
    cls: value("cumulative-layout-shift"),
    script_ms: value("bootup-time"),
    kb: requests.reduce((sum, request) => sum + (request.transferSize || 0), 0) / 1000,
    requests: requests.length,
    lighthouse: lhr.lighthouseVersion,
    browser: lhr.environment.hostUserAgent.match(/Chrome\/([\d.]+)/)[1],
  };
}

// Prints the figures of an address as a line of JSON, and the progress to stderr. Tries again if a run fails.
async function report(name, url, round) {
  const label = `    ${job.form} ${round + 1}/${job.runs} ${name}`;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      const figures = await measure(url, round === 0 && job.scored.includes(name));
      console.log(JSON.stringify({ name, figures }));
      console.error(`${label}: ${figures.performance}, LCP ${Math.round(figures.lcp_ms)}, TBT ${Math.round(figures.tbt_ms)}`);
      return;
    } catch (error) {
      console.error(`${label}, try ${attempt} of ${TRIES}: ${error.message}`);
    }
  }
}

for (let round = 0; round < job.runs; round++) {
  for (const [name, url] of Object.entries(job.urls)) {
    await report(name, url, round);
  }
}
process.exit(); // a browser that hung may have left connections open
