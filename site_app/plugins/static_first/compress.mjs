// Writes a compressed copy beside each text file of the site. Compressed copies are cached by content hash for later builds.
// stdin: { folder, kept }
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib"; // brotli's own default is its best quality

const TEXTS = /\.(html|css|m?js|svg|json|txt|xml|atom)$/;
const TOO_SMALL = 256; // bytes
const AT_ONCE = 16; // files; zlib's thread pool works through them
const FORMATS = { ".br": promisify(brotliCompress), ".gz": (content) => promisify(gzip)(content, { level: 9 }) };

const { folder, kept } = JSON.parse(readFileSync(0));
const used = new Set();
let unfinished = 0;

const compress = async (file) => {
  const content = await readFile(file);
  if (content.length < TOO_SMALL) {
    return;
  }
  const digest = createHash("sha256").update(content).digest("hex");
  for (const [ending, shorten] of Object.entries(FORMATS)) {
    const earlier = join(kept, digest + ending);
    used.add(digest + ending);
    try {
      await copyFile(earlier, file + ending);
    } catch {
      const unfinishedFile = `${earlier}.${(unfinished += 1)}`; // an interrupted build must not leave half a file under the final name
      await writeFile(unfinishedFile, await shorten(content));
      await rename(unfinishedFile, earlier);
      await copyFile(earlier, file + ending);
    }
  }
};

await mkdir(kept, { recursive: true });
const files = (await readdir(folder, { recursive: true })).filter((name) => TEXTS.test(name)).map((name) => join(folder, name));
const next = async () => {
  for (let file = files.pop(); file; file = files.pop()) {
    await compress(file);
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, next));
await Promise.all((await readdir(kept)).filter((name) => !used.has(name)).map((name) => rm(join(kept, name))));
