// Files that are part of the program. The executable embeds them. The npm package has them in a folder next to
// the script (sea-in-folder.ts). From source they come from the checkout, so that `node src/main.ts` needs no
// build.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { getRawAsset, isSea } from "node:sea";
import { pathToFileURL } from "node:url";
import type { WorkerOptions } from "node:worker_threads";

import { gzip, zstdDecompress } from "./compression.ts";
import { GRAMMAR_FILES } from "./grammar-files.ts";
import { keyringFile } from "./keyring-file.ts";

/** Defined by build.mjs; undefined when the program runs from source. */
declare const SVC_VERSION: string | undefined;

type WorkerName =
  | "document-worker"
  | "index-worker"
  | "parse-worker"
  | "pattern-worker"
  | "search-worker"
  | "watch-worker";

const WORKER_FILES: Readonly<Record<WorkerName, string>> = {
  "document-worker": "src/engine/indexing/document-worker.ts",
  "index-worker": "src/engine/indexing/index-worker.ts",
  "parse-worker": "src/engine/indexing/parse-worker.ts",
  "pattern-worker": "src/engine/text-search/pattern-worker.ts",
  "search-worker": "src/engine/passages/search-worker.ts",
  "watch-worker": "src/engine/watching/watch-worker.ts",
};

type ProgramName = "index-agent" | "keychain-agent";

const PROGRAM_FILES: Readonly<Record<ProgramName, string>> = {
  "index-agent": "src/engine/indexing/index-agent.ts",
  "keychain-agent": "src/credentials/keychain/keychain-agent.ts",
};

/**
 * The scripts of the search page: the first, and those that it loads when they are needed. The build bundles the modules
 * of each into one file.
 */
export const WEB_SCRIPTS: readonly string[] = ["page/app.js", "page/admin.js", "page/markdown.js"];
const WEB_FILES = ["page/index.html", "page/style.css", "page/icon.svg"];
/** Packages that the page imports; the build bundles them too. */
const WEB_PACKAGES: Readonly<Record<string, string>> = {
  marked: "marked/lib/marked.esm.js",
};

/** Name of the asset that `svc --licenses` prints. */
export const NOTICES = "third-party-notices";

const COMPRESSED: ReadonlySet<string> = new Set([NOTICES, "pdf.js", "pdf-cmaps"]);

/**
 * Returns the bytes of a `grammarAsset`, `tree-sitter.wasm`, `embedding-table`, `keyring.node`, `pdf.js`, `pdf-cmaps` or
 * NOTICES. Throws for any other name.
 *
 * Uncompressed assets of the executable are views of its read-only memory. A write to them kills the process,
 * so a consumer that writes must copy them first.
 */
export function readAsset(name: string): Uint8Array {
  if (!isSea()) return assetBytes(sourceFile(name));
  const bytes = new Uint8Array(getRawAsset(name));
  if (!isCompressed(name)) return bytes;
  return zstdDecompress(bytes);
}

/**
 * The name of the asset with the grammar of a language, or undefined if there is none. Languages with the same grammar
 * share an asset: Vue and Svelte have that of TypeScript.
 */
export function grammarAsset(language: string): string | undefined {
  const file = GRAMMAR_FILES[language];
  return file === undefined ? undefined : `grammar/${path.basename(file)}`;
}

/** The bytes of the grammar of a language, or undefined if there is none. */
export function readGrammar(language: string): Uint8Array | undefined {
  const asset = grammarAsset(language);
  return asset === undefined ? undefined : readAsset(asset);
}

/** The names of the assets that a browser may request. */
export function webAssets(): readonly string[] {
  if (isSea()) return [...WEB_FILES, ...WEB_SCRIPTS];
  // The modules are not bundled: the browser loads each one by the name in its import statements.
  const modules = readdirSync(webFolder()).filter((file) => file.endsWith(".ts"));
  const packages = Object.keys(WEB_PACKAGES).map((name) => `page/${name}.js`);
  return [...WEB_FILES, ...WEB_SCRIPTS, ...packages, ...modules.map((file) => `page/${file}`)];
}

/** Returns one of `webAssets()`, compressed with gzip, as the executable stores it and browsers take it. */
export function readWebAsset(name: string): Uint8Array {
  if (isSea()) return new Uint8Array(getRawAsset(name));
  return gzip(isWebScript(name) ? webScript(name) : readFileSync(sourceFile(name)));
}

/** The arguments of `new Worker(source, options)`; callers may add options. */
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

/** The command line that starts another process of the program in this role. boot.ts has the same names. */
export function programEntry(name: ProgramName): {
  readonly command: string;
  readonly args: readonly string[];
} {
  const args = isSea() ? [...ownScript(), name] : [path.join(checkoutRoot(), PROGRAM_FILES[name])];
  return { command: process.execPath, args };
}

/** The command line that starts the program itself; `args` is empty for the executable. */
export function mainEntry(): { readonly command: string; readonly args: readonly string[] } {
  const args = isSea() ? ownScript() : [path.join(checkoutRoot(), "src/main.ts")];
  return { command: process.execPath, args };
}

/** The version of svc, from the build or from package.json. */
export function productVersion(): string {
  if (typeof SVC_VERSION === "string") return SVC_VERSION;
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(path.join(checkoutRoot(), "package.json"), "utf8"),
  );
  return manifest.version;
}

/** Maps each asset name to its absolute path in the checkout, for the build. */
export function assetFiles(): Readonly<Record<string, string>> {
  const modules = path.join(checkoutRoot(), "node_modules");
  const page = WEB_FILES.map(
    (name) => [name, path.join(webFolder(), path.basename(name))] as const,
  );
  const files: Record<string, string> = {
    ...Object.fromEntries(page),
    "tree-sitter.wasm": path.join(modules, "web-tree-sitter/web-tree-sitter.wasm"),
    "embedding-table": path.join(checkoutRoot(), "assets/embeddings/svc-embed-v1.int4.svce"),
    "pdf.js": path.join(modules, "pdfjs-dist/legacy/build/pdf.worker.min.mjs"),
    "pdf-cmaps": path.join(modules, "pdfjs-dist/cmaps"),
    [NOTICES]: path.join(checkoutRoot(), "THIRD_PARTY_NOTICES"),
  };
  for (const [language, file] of Object.entries(GRAMMAR_FILES)) {
    const asset = grammarAsset(language);
    if (asset !== undefined) files[asset] = path.join(modules, file);
  }
  const keyring = keyringFile();
  if (keyring !== undefined) files["keyring.node"] = path.join(modules, keyring);
  return files;
}

/**
 * Returns the bytes of an asset from its path in the checkout. A folder becomes one asset: the sizes of its files by name
 * as a line of JSON, and the files. Together they compress to half of what they take one by one.
 */
export function assetBytes(source: string): Buffer {
  if (!statSync(source).isDirectory()) return readFileSync(source);
  const names = readdirSync(source).toSorted();
  const files = names.map((name) => readFileSync(path.join(source, name)));
  const sizes = Object.fromEntries(names.map((name, at) => [name, files[at]?.length]));
  return Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...files]);
}

/** Whether the executable stores the asset compressed with gzip, for browsers. */
export function isGzipped(name: string): boolean {
  return name.startsWith("page/");
}

/** Whether the executable stores the asset compressed with zstd. */
export function isCompressed(name: string): boolean {
  return name.startsWith("grammar/") || COMPRESSED.has(name);
}

/**
 * The script argument that Node needs: the npm package's script, or nothing in the executable, which contains
 * Node.
 */
function ownScript(): readonly string[] {
  return import.meta.filename === process.execPath ? [] : [import.meta.filename];
}

function isWebScript(name: string): boolean {
  return name.startsWith("page/") && /\.(?:js|ts)$/.test(name);
}

/** A page module as JavaScript; stripping types keeps its line numbers. */
function webScript(name: string): Uint8Array {
  const file = WEB_PACKAGES[path.basename(name, ".js")];
  if (file !== undefined) return readFileSync(path.join(checkoutRoot(), "node_modules", file));
  const source = path.join(webFolder(), path.basename(name).replace(/\.js$/, ".ts"));
  const text = stripTypeScriptTypes(readFileSync(source, "utf8"));
  // A browser does not know where packages are.
  return Buffer.from(
    text.replaceAll(/(?<=\bfrom ")[\w-]+(?=";)/g, (from) =>
      from in WEB_PACKAGES ? `./${from}.js` : from,
    ),
  );
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
