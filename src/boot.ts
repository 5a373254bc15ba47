// The first code that runs in the executable and in each of its workers, and the script of the npm package. The
// program is stored next to it as chunks, which are compiled from V8 code caches recorded by the build, so a start
// takes hardly longer than bare Node. Only this file knows that chunks exist.

import { writeSync } from "node:fs";
import path from "node:path";
import * as sea from "node:sea";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";

import { chunkSource, scriptElsewhere, unpacked } from "./base/chunk-source.ts";
import { withPresentFlags } from "./base/code-cache.ts";
import type { reportSelfCheck } from "./base/self-check.ts";
import type { main } from "./main.ts";

/** Set by build.mjs. */
declare const SVC_VERSION: string;

/** Set in the npm package: the path of this file. */
declare const SVC_SCRIPT: string | undefined;

/** Set around this code by `workerEntry` of base/assets.ts; absent in the main thread. */
declare const workerChunk: string | undefined;

/** Exports that this file calls in the chunks that it starts. Other chunks may export anything. */
interface ChunkExports {
  readonly main?: typeof main;
  readonly reportSelfCheck?: typeof reportSelfCheck;
}

interface ChunkModule {
  exports: ChunkExports;
}

/** The function that the build wraps around each chunk. */
type ChunkBody = (
  ...scope: [
    exports: ChunkExports,
    require: (id: string) => unknown,
    module: ChunkModule,
    filename: string,
    dirname: string,
    url: string,
  ]
) => void;

/** The value of a script: a chunk, or the names and bodies of a chunk and of those that it needs at once. */
type ChunkScript = ChunkBody | readonly (readonly [name: string, body: ChunkBody])[];

/** What every chunk gets as its `__filename`, `__dirname` and URL. */
type Place = [program: string, folder: string, url: string];

/** Kept, because a command loads dozens of chunks. */
let place: Place | undefined;
const chunks = new Map<string, ChunkModule>();
/** Chunks of a script that has been compiled. */
const bodies = new Map<string, ChunkBody>();

start();

function start(): void {
  const argv = process.argv.slice(2);
  if (typeof workerChunk === "string") {
    loadChunk(`./${workerChunk}.js`);
  } else if (argv.length === 1 && argv[0] === "--version") {
    print(SVC_VERSION);
  } else if (argv.length === 1 && argv[0] === "--self-check") {
    printSelfCheck();
  } else if (argv.length === 1 && (argv[0] === "keychain-agent" || argv[0] === "index-agent")) {
    // Started by `programEntry` of base/assets.ts; not for users, so the help does not list them.
    loadChunk(`./${argv[0]}.js`);
  } else {
    void loadChunk("./main.js").main?.(argv);
  }
}

/** Chunks import each other as `./name.js`; everything else is a module of Node itself. */
function requireModule(id: string): unknown {
  // Never a `require` that reads the disk, so that no folder near the executable can inject code.
  if (id.startsWith("./")) return loadChunk(id);
  // The npm package replaces this module with its own.
  return id === "node:sea" ? sea : process.getBuiltinModule(id);
}

function loadChunk(id: string): ChunkExports {
  const known = chunks.get(id);
  if (known !== undefined) return known.exports;

  const body = bodies.get(id) ?? compileChunk(id);
  const chunk: ChunkModule = { exports: {} };
  // Registered before it runs, because chunks may have circular imports.
  chunks.set(id, chunk);
  place ??= placeOfProgram();
  body(chunk.exports, requireModule, chunk, ...place);
  return chunk.exports;
}

function placeOfProgram(): Place {
  const program = typeof SVC_SCRIPT === "string" ? SVC_SCRIPT : process.execPath;
  return [program, path.dirname(program), pathToFileURL(program).href];
}

function compileChunk(id: string): ChunkBody {
  const chunk = id.slice("./".length, -".js".length);
  const source = sourceOf(chunk);
  const script = scriptElsewhere(source);
  const value =
    script === undefined ? runScript(chunk, source) : runScript(script, sourceOf(script));
  if (typeof value === "function") return value;
  for (const [member, body] of value) bodies.set(`./${member}.js`, body);
  const body = bodies.get(id);
  if (body === undefined) throw new Error(`${script ?? chunk} does not have the code of ${chunk}`);
  return body;
}

function sourceOf(name: string): string {
  return chunkSource(Buffer.from(sea.getRawAsset(`code/${name}.js`)));
}

function runScript(name: string, source: string): ChunkScript {
  const cache = unpacked(Buffer.from(sea.getRawAsset(`code/${name}.cache`)));
  // Node accepts flags of its user, which the executable does not.
  const cachedData = typeof SVC_SCRIPT === "string" ? cache : withPresentFlags(cache);
  return new Script(source, { filename: `svc:code/${name}`, cachedData }).runInThisContext();
}

function printSelfCheck(): void {
  const report = loadChunk("./self-check.js").reportSelfCheck?.();
  if (report === undefined) return;
  if (!report.isSound) process.exitCode = 2;
  print(report.text);
}

/** Written directly: setting up `process.stdout` takes longer than the rest of `--version`. */
function print(text: string): void {
  try {
    writeSync(1, `${text}\n`);
  } catch {
    // The reader has closed the pipe, so there is nowhere to report the error.
  }
}
