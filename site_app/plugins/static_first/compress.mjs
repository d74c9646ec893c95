// Writes a compressed copy beside each text file of the site. Compressed copies are cached by content hash for later builds.
// stdin: { folder, cache }
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib"; // brotli's own default is its best quality

const TEXTS = /\.(html|css|m?js|svg|json|txt|xml|atom)$/;
const MIN_BYTES = 256; // smaller files are not compressed
const MAX_CONCURRENT = 16; // files at once; zlib's thread pool works through them
// Of all modes and ways to write distances, these two together make the pages shortest.
const BROTLI_SETTINGS = [
  { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT },
  { [constants.BROTLI_PARAM_NPOSTFIX]: 2, [constants.BROTLI_PARAM_NDIRECT]: 4 },
];

// Returns the shorter of two results: which one it is changes with every word, by up to 50 bytes of a page that nearly fills the first packets.
const shortestBrotli = async (content) => {
  const results = await Promise.all(BROTLI_SETTINGS.map((params) => promisify(brotliCompress)(content, { params })));
  return results.toSorted((first, second) => first.length - second.length)[0];
};
const smallestGzip = (content) => promisify(gzip)(content, { level: 9 });
const formatsOf = (file) => ({
  ".br": file.endsWith(".html") ? shortestBrotli : promisify(brotliCompress),
  ".gz": smallestGzip,
});

const { folder, cache } = JSON.parse(readFileSync(0));
const usedNames = new Set();
let unfinishedFiles = 0;

// An interrupted build leaves no part of a file under its final name. Several files of the same content may be written at once.
const replaceFile = async (file, content) => {
  const unfinished = `${file}.${(unfinishedFiles += 1)}.unfinished`;
  await writeFile(unfinished, content);
  await rename(unfinished, file);
};

// Copies the compressed copies of a file from the cache, or makes them.
const compress = async (file) => {
  const content = await readFile(file);
  if (content.length < MIN_BYTES) {
    return;
  }
  const digest = createHash("sha256").update(content).digest("hex");
  for (const [ending, compressText] of Object.entries(formatsOf(file))) {
    const cachedFile = join(cache, digest + ending);
    usedNames.add(digest + ending);
    try {
      await copyFile(cachedFile, file + ending);
    } catch {
      await replaceFile(cachedFile, await compressText(content));
      await copyFile(cachedFile, file + ending);
    }
  }
};

await mkdir(cache, { recursive: true });
const files = (await readdir(folder, { recursive: true })).filter((name) => TEXTS.test(name)).map((name) => join(folder, name));
// Compresses one file after the other; several of these run at once.
const compressFiles = async () => {
  for (let file = files.pop(); file; file = files.pop()) {
    await compress(file);
  }
};
await Promise.all(Array.from({ length: MAX_CONCURRENT }, compressFiles));
await Promise.all((await readdir(cache)).filter((name) => !usedNames.has(name)).map((name) => rm(join(cache, name))));
