// Files that are part of the program. The executable carries them inside itself, the npm package beside
// itself (sea-in-folder.ts); when the program runs from source they come from the checkout, so that
// `node src/main.ts` needs no build.

import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { getRawAsset, isSea } from "node:sea";
import { pathToFileURL } from "node:url";
import type { WorkerOptions } from "node:worker_threads";

import { GRAMMAR_FILES } from "./grammar-files.ts";
import { keyringFile } from "./keyring-file.ts";

/** Put in by build.mjs; absent when the program runs from source. */
declare const SVC_VERSION: string | undefined;

type WorkerName = "index-worker" | "pattern-worker" | "watch-worker";

const WORKER_FILES: Readonly<Record<WorkerName, string>> = {
  "index-worker": "src/engine/indexing/index-worker.ts",
  "pattern-worker": "src/engine/text-search/pattern-worker.ts",
  "watch-worker": "src/engine/watching/watch-worker.ts",
};

type ProgramName = "keychain-agent";

const PROGRAM_FILES: Readonly<Record<ProgramName, string>> = {
  "keychain-agent": "src/credentials/keychain-agent.ts",
};

/** What runs in the search page; the build puts its modules together. */
const WEB_SCRIPT = "page/app.js";
const WEB_FILES = ["page/index.html", "page/style.css", "page/icon.svg"];

/** What `svc --licenses` prints. */
export const NOTICES = "third-party-notices";

/**
 * The bytes of `grammar/<language>.wasm`, `tree-sitter.wasm`, `embedding-table`, `keyring.node`, NOTICES or
 * one of `webAssets()`.
 *
 * Uncompressed assets of the executable are returned as they lie in its read-only memory: a write
 * to them kills the process, so a consumer that writes must copy first.
 */
export function readAsset(name: string): Uint8Array {
  if (!isSea()) return isWebScript(name) ? webScript(name) : readFileSync(sourceFile(name));
  const bytes = new Uint8Array(getRawAsset(name));
  if (!isCompressed(name)) return bytes;
  // Loaded here and not at the top, because the stdio start-up path has no use for it.
  return process.getBuiltinModule("node:zlib").zstdDecompressSync(bytes);
}

/** The assets that a browser may ask for. */
export function webAssets(): readonly string[] {
  if (isSea()) return [...WEB_FILES, WEB_SCRIPT];
  // Nothing has put the modules together: a browser loads each by the name that others import.
  const modules = readdirSync(webFolder()).filter((file) => file.endsWith(".ts"));
  return [...WEB_FILES, WEB_SCRIPT, ...modules.map((file) => `page/${file}`)];
}

/** What to pass to `new Worker(source, options)`; more options may be added. */
export function workerEntry(name: WorkerName): {
  readonly source: string | URL;
  readonly options: WorkerOptions;
} {
  if (!isSea()) {
    return {
      source: pathToFileURL(path.join(checkoutRoot(), WORKER_FILES[name])),
      options: { name },
    };
  }
  const boot = Buffer.from(getRawAsset("code/boot.js")).toString("latin1");
  const scope = [name, import.meta.filename].map((text) => JSON.stringify(text)).join();
  return {
    source: `(function (workerChunk, __filename) {${boot}})(${scope});`,
    options: { eval: true, name },
  };
}

/** How to start another process of the program in this role; boot.ts knows the same names. */
export function programEntry(name: ProgramName): {
  readonly command: string;
  readonly args: readonly string[];
} {
  const args = isSea() ? [...ownScript(), name] : [path.join(checkoutRoot(), PROGRAM_FILES[name])];
  return { command: process.execPath, args };
}

/** How to start the program itself; `args` is empty for the executable. */
export function mainEntry(): { readonly command: string; readonly args: readonly string[] } {
  const args = isSea() ? ownScript() : [path.join(checkoutRoot(), "src/main.ts")];
  return { command: process.execPath, args };
}

export function productVersion(): string {
  if (typeof SVC_VERSION === "string") return SVC_VERSION;
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(path.join(checkoutRoot(), "package.json"), "utf8"),
  );
  return manifest.version;
}

/** Asset name to absolute path, for the build. */
export function assetFiles(): Readonly<Record<string, string>> {
  const modules = path.join(checkoutRoot(), "node_modules");
  const page = WEB_FILES.map(
    (name) => [name, path.join(webFolder(), path.basename(name))] as const,
  );
  const files: Record<string, string> = {
    ...Object.fromEntries(page),
    "tree-sitter.wasm": path.join(modules, "web-tree-sitter/web-tree-sitter.wasm"),
    "embedding-table": path.join(checkoutRoot(), "assets/embeddings/svc-embed-v1.int4.svce"),
    [NOTICES]: path.join(checkoutRoot(), "THIRD_PARTY_NOTICES"),
  };
  for (const [language, file] of Object.entries(GRAMMAR_FILES)) {
    files[`grammar/${language}.wasm`] = path.join(modules, file);
  }
  const keyring = keyringFile();
  if (keyring !== undefined) files["keyring.node"] = path.join(modules, keyring);
  return files;
}

/** Whether the executable holds the asset compressed with zstd. */
export function isCompressed(name: string): boolean {
  return name.startsWith("grammar/") || name === NOTICES;
}

/** What Node has to be given: the npm package's script; nothing in the executable, which is Node. */
function ownScript(): readonly string[] {
  return import.meta.filename === process.execPath ? [] : [import.meta.filename];
}

function isWebScript(name: string): boolean {
  return name === WEB_SCRIPT || (name.startsWith("page/") && name.endsWith(".ts"));
}

/** A module of the page as JavaScript, with the lines of its source. */
function webScript(name: string): Uint8Array {
  const file = path.basename(name).replace(/\.js$/, ".ts");
  return Buffer.from(stripTypeScriptTypes(readFileSync(path.join(webFolder(), file), "utf8")));
}

function webFolder(): string {
  return path.join(checkoutRoot(), "src/web");
}

function sourceFile(name: string): string {
  const file = assetFiles()[name];
  if (file === undefined) throw new Error(`there is no asset "${name}"`);
  return file;
}

function checkoutRoot(): string {
  return path.join(import.meta.dirname, "../..");
}
