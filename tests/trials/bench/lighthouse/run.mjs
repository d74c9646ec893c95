// Runs Lighthouse over several addresses in rounds, A B C, A B C, each with a fresh browser, and writes a line of JSON for each look.
// node run.mjs '{"modules": "folder with node_modules", "chrome": "/path", "form": "mobile", "runs": 3, "urls": {"name": "http://…"}, "scored": ["name"]}'
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const job = JSON.parse(process.argv[2]);
const find = createRequire(join(job.modules, "x.js"));
const load = (name) => import(pathToFileURL(find.resolve(name)));
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

// Accessibility, best practices and SEO do not change from run to run: all scores are asked for once.
async function look(url, allScores) {
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
    return read(lhr);
  } finally {
    clearTimeout(timer);
    await chrome.kill();
  }
}

function read(lhr) {
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

for (let round = 0; round < job.runs; round++) {
  for (const [name, url] of Object.entries(job.urls)) {
    for (let tried = 1; tried <= TRIES; tried++) {
      try {
        const seen = await look(url, round === 0 && job.scored.includes(name));
        console.log(JSON.stringify({ name, seen }));
        console.error(
          `    ${job.form} ${round + 1}/${job.runs} ${name}: ${seen.performance}, LCP ${Math.round(seen.lcp_ms)}, TBT ${Math.round(seen.tbt_ms)}`,
        );
        break;
      } catch (error) {
        console.error(`    ${job.form} ${round + 1}/${job.runs} ${name}, try ${tried} of ${TRIES}: ${error.message}`);
      }
    }
  }
}
process.exit(); // whatever a browser that hung has left open
