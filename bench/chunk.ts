// The speed of cutting files into chunks, by language, including the parse.
//
//     node bench/chunk.ts [--structure] <folder> [<folder> …]
//
// With `--structure` it uses no grammars, like the first pass over a whole tree. Time is CPU time of this thread, so
// that other work on the machine does not count. Every chunk is also checked to tile its file: a fast but wrong result
// would be worthless.

import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { readAsset, readGrammar } from "../src/base/assets.ts";
import { chunkFile, type ChunkedFile } from "../src/chunk/chunk.ts";
import { createGrammars } from "../src/parse/syntax.ts";

const MAX_FILE_BYTES = 1_000_000;
/** Files chunked before the clock runs, so that the WebAssembly code is compiled in full. */
const WARM_UP_FILES = 40;

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "tsx",
  js: "javascript",
  py: "python",
  go: "go",
  java: "java",
  kt: "kotlin",
  rs: "rust",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  hpp: "cpp",
  cs: "csharp",
  php: "php",
  rb: "ruby",
  scala: "scala",
  ex: "elixir",
  exs: "elixir",
  lua: "lua",
  sh: "bash",
  bash: "bash",
  hs: "haskell",
  zig: "zig",
  md: "markdown",
  rst: "rst",
  yml: "yaml",
  yaml: "yaml",
  toml: "toml",
  json: "json",
  txt: "text",
};

interface Sample {
  readonly path: string;
  readonly text: string;
}

interface Row {
  bytes: number;
  cpuMs: number;
  chunks: number;
  lines: number;
  symbols: number;
  problems: number;
  slowest: { path: string; ms: number };
}

const samples = new Map<string, Sample[]>();
const STRUCTURE_ONLY = "--structure";
const folders = process.argv.slice(2).filter((argument) => argument !== STRUCTURE_ONLY);
for (const folder of folders) collect(folder);

const grammars = process.argv.includes(STRUCTURE_ONLY)
  ? undefined
  : await createGrammars({
      core: readAsset("tree-sitter.wasm"),
      grammar: readGrammar,
    });

console.log(
  "language     files      MB  MB/s  chunks  lines/chunk  symbols  problems  slowest file",
);
for (const [language, files] of [...samples].toSorted(([a], [b]) => a.localeCompare(b))) {
  for (const file of files.slice(0, WARM_UP_FILES)) chunkFile({ ...file, language }, grammars);
  print(language, files.length, measure(language, files));
}

function collect(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules")
      collect(file);
    const language = LANGUAGES[path.extname(entry.name).slice(1)];
    if (!entry.isFile() || language === undefined || statSync(file).size > MAX_FILE_BYTES) continue;
    const list = samples.get(language) ?? [];
    list.push({ path: file, text: readFileSync(file, "utf8") });
    samples.set(language, list);
  }
}

function measure(language: string, files: readonly Sample[]): Row {
  const row: Row = {
    bytes: 0,
    cpuMs: 0,
    chunks: 0,
    lines: 0,
    symbols: 0,
    problems: 0,
    slowest: { path: "", ms: 0 },
  };
  for (const file of files) {
    const before = process.threadCpuUsage();
    const chunked = chunkFile({ ...file, language }, grammars);
    const used = process.threadCpuUsage(before);
    const ms = (used.user + used.system) / 1000;
    checkTiling(file, chunked);
    row.bytes += Buffer.byteLength(file.text);
    row.cpuMs += ms;
    row.chunks += chunked.chunks.length;
    for (const chunk of chunked.chunks) row.lines += chunk.endLine - chunk.startLine + 1;
    row.symbols += chunked.symbols.length;
    row.problems += chunked.problem === undefined ? 0 : 1;
    if (ms > row.slowest.ms) row.slowest = { path: file.path, ms };
  }
  return row;
}

function checkTiling(file: Sample, { chunks }: ChunkedFile): void {
  const lines = file.text.split("\n");
  const taken = new Uint8Array(lines.length + 1);
  let last = 0;
  for (const { startLine, endLine } of chunks) {
    if (startLine <= last || endLine < startLine || endLine > lines.length) {
      throw new Error(`${file.path}: chunk ${startLine}-${endLine} comes after line ${last}`);
    }
    taken.fill(1, startLine, endLine + 1);
    last = endLine;
  }
  const missing = lines.findIndex((line, index) => taken[index + 1] === 0 && line.trim() !== "");
  if (missing !== -1) throw new Error(`${file.path}:${missing + 1}: the line is in no chunk`);
}

function print(language: string, files: number, row: Row): void {
  const cells = [
    language.padEnd(11),
    String(files).padStart(6),
    (row.bytes / 1e6).toFixed(1).padStart(7),
    (row.bytes / 1e3 / row.cpuMs).toFixed(1).padStart(5),
    String(row.chunks).padStart(7),
    (row.lines / row.chunks).toFixed(1).padStart(12),
    String(row.symbols).padStart(8),
    String(row.problems).padStart(9),
    ` ${row.slowest.ms.toFixed(0)} ms ${row.slowest.path.split("/").slice(-2).join("/")}`,
  ];
  console.log(cells.join(" "));
}
