// The V8 code caches of the program, the same each time: they hold the compiled functions of profile.txt.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { constants, zstdCompressSync } from "node:zlib";

import { scriptElsewhere } from "../../src/base/chunk-source.ts";
import { NODE_OPTIONS, REPRODUCIBLE } from "../node-options.mjs";
import { functionsOf } from "./functions.mjs";

const COMPILER = fileURLToPath(new URL("compile.cjs", import.meta.url));
/** In MB: so large that V8 never collects garbage while it makes the caches. */
const HEAP = "--initial-heap-size=1024";
const SMALLEST = { params: { [constants.ZSTD_c_compressionLevel]: 18 } };
export const PROFILE = fileURLToPath(new URL("profile.txt", import.meta.url));

/** A chunk source larger than this is compressed. Few commands load one, and it costs them up to 2 ms. */
const MAX_SOURCE_BYTES = 190_000;
/** The same for chunks of which recorded runs use few functions, such as the client of PostgreSQL: up to 0.7 ms. */
const MAX_RARE_SOURCE_BYTES = 3_000;
const FEW_FUNCTIONS = 12;
const NO_CACHE = Buffer.alloc(0);
/** A chunk with more source than this for each function that recorded runs use counts as having few. */
const MANY_BYTES_FOR_ONE = 3000;

/**
 * Writes `<chunk>.cache` next to each `<chunk>.js` of `folder`, and compresses both files of the largest chunks. Rarely
 * used chunks have an empty cache.
 */
export async function makeCaches(folder) {
  const profile = new Set(readFileSync(PROFILE, "utf8").split("\n"));
  const wanted = {};
  for (const chunk of chunksIn(folder)) {
    const listed = functionsOf(sourceOf(folder, chunk)).filter(({ name }) => profile.has(name));
    wanted[chunk] = listed.map(({ inside }) => inside);
  }
  await compile(folder, wanted);
  for (const chunk of chunksIn(folder)) {
    const file = path.join(folder, `${chunk}.js`);
    const source = readFileSync(file);
    const used = wanted[chunk].length;
    const isRare = used < FEW_FUNCTIONS || source.length > used * MANY_BYTES_FOR_ONE;
    const limit = isRare ? MAX_RARE_SOURCE_BYTES : MAX_SOURCE_BYTES;
    if (source.length <= limit) continue;
    const cache = path.join(folder, `${chunk}.cache`);
    writeFileSync(file, zstdCompressSync(source, SMALLEST));
    // With nearly all of its functions missing, a cache hardly shortens the time to load a chunk.
    const bytes = used < FEW_FUNCTIONS ? NO_CACHE : zstdCompressSync(readFileSync(cache), SMALLEST);
    writeFileSync(cache, bytes);
  }
}

async function compile(folder, wanted) {
  const args = [...NODE_OPTIONS, ...REPRODUCIBLE, HEAP, COMPILER, folder];
  const stdio = ["pipe", "inherit", "inherit"];
  const child = spawn(process.execPath, args, { env: {}, stdio });
  child.stdin.end(JSON.stringify(wanted));
  const [code, signal] = await once(child, "exit");
  if (code !== 0) throw new Error(`the compiler of code caches ended with ${code ?? signal}`);
}

/** Names of the scripts without ".js": of chunks that contain text. The code that loads the chunks is not one. */
function chunksIn(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "boot.js");
  const names = files.map((name) => path.basename(name, ".js"));
  return names.filter((name) => scriptElsewhere(sourceOf(folder, name)) === undefined).toSorted();
}

/** Chunks are ASCII: an offset is the same in bytes and in characters. */
export function sourceOf(folder, chunk) {
  return readFileSync(path.join(folder, `${chunk}.js`), "latin1");
}
