// node bench/secrets.ts [--rules GITLEAKS.toml] [--list] FOLDER…: measures how much real code the secret masks hide,
// their cost, and the recall for a sample of each of a scanner's rules; --list shows the missed ones.
// Prints chunks, chunks with a mask, their share, and how much longer a query takes with masks than without. The share
// covers all text that has the form of a secret: the bench cannot recognise false positives, so --list shows each mask.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { createLogger } from "../src/base/log.ts";
import { findSecrets, maskSecrets } from "../src/base/mask-secrets.ts";
import { chunkFile } from "../src/chunk/chunk.ts";
import { ContentReader } from "../src/engine/indexing/content-reader.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import type { Engine } from "../src/engine/api/engine.ts";
import { languageOf } from "../src/scan/classify.ts";
import { walk } from "../src/scan/walk.ts";
import { localOwner } from "../src/sources/principal.ts";
import { requireFolder } from "../src/sources/confined-path.ts";
import { QUESTIONS } from "./questions.ts";
import { samplesOf } from "./secrets/rules.ts";

const LIMIT_BYTES = 1 << 20;
const ROUNDS = 15;

interface Tally {
  files: number;
  characters: number;
  chunks: number;
  masked: number;
  ms: number;
  readonly kinds: Map<string, number>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, rules: { type: "string" } },
});
const folders = positionals.map((folder) => resolve(folder));
if (values.rules !== undefined) tellRecall(values.rules);
if (folders.length === 0 && values.rules !== undefined) process.exit();
if (folders.length === 0) throw new Error("Name folders: node bench/secrets.ts FOLDER…");
const total = emptyTally();
for (const folder of folders) {
  const tally = emptyTally();
  measure(folder, tally);
  tell(folder, tally);
  for (const key of ["files", "characters", "chunks", "masked", "ms"] as const) {
    total[key] += tally[key];
  }
}
tell("all", total);
await compareLatency(folders[0] ?? "");

function tellRecall(path: string): void {
  const samples = samplesOf(readFileSync(path, "utf8"));
  const missed = samples.filter(({ line, secret }) => maskSecrets(line).includes(secret.slice(-8)));
  const known = samples.length - missed.length;
  const share = ((100 * known) / samples.length).toFixed(1);
  console.log(`recall: ${known} of ${samples.length} rules (${share} %)`);
  if (values.list) for (const { rule, line } of missed) console.log(`missed\t${rule}\t${line}`);
}

function emptyTally(): Tally {
  return { files: 0, characters: 0, chunks: 0, masked: 0, ms: 0, kinds: new Map() };
}

function measure(folder: string, tally: Tally): void {
  const reader = new ContentReader(LIMIT_BYTES);
  const source = { root: requireFolder(folder), namespace: "bench" };
  for (const { path } of walk(folder).files) {
    const content = reader.read(source, path);
    if ("skip" in content) continue;
    const { text } = content;
    const { chunks } = chunkFile({ path, language: languageOf(path, text.slice(0, 200)), text });
    const started = performance.now();
    const secrets = findSecrets(text);
    tally.ms += performance.now() - started;
    tally.files += 1;
    tally.characters += text.length;
    tally.chunks += chunks.length;
    const hit = new Set<unknown>();
    for (const { start, end, kind } of secrets) {
      const line = text.slice(0, start).split("\n").length;
      const chunk = chunks.find(({ startLine, endLine }) => startLine <= line && line <= endLine);
      if (!hit.has(chunk)) tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1);
      hit.add(chunk);
      if (values.list)
        console.log(`${kind}\t${path}:${line}\t${text.slice(start, end).slice(0, 80)}`);
    }
    tally.masked += hit.size;
  }
}

function tell(name: string, { files, characters, chunks, masked, ms, kinds }: Tally): void {
  const share = ((100 * masked) / Math.max(1, chunks)).toFixed(3);
  const speed = (characters / 1000 / Math.max(ms, 0.001)).toFixed(0);
  const each = ((1e6 * masked) / Math.max(1, characters)).toFixed(2);
  const by = [...kinds].map(([kind, count]) => `${kind} ${count}`).join(", ");
  console.log(
    `${name}: ${files} files, ${chunks} chunks, ${masked} with a mask (${share} %, ${each} per MB), ${speed} MB/s${by === "" ? "" : `; ${by}`}`,
  );
}

/** The same queries alternate with and without masks, so that other load affects both. */
async function compareLatency(root: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const open = (showsSecrets: boolean): Engine =>
    createEngine({
      dataDirectory: data,
      home: data,
      logger: createLogger({ level: "warn", human: false, write: () => {} }),
      workspace: () => root,
      showsSecrets,
    });
  const engines = [open(false), open(true)] as const;
  const caller = { principal: localOwner(), signal: new AbortController().signal };
  await engines[0].index({ ...caller, fallbackNamespace: "workspace", source: root });
  const ask = async (engine: Engine, query: string, round: number): Promise<number> => {
    const started = performance.now();
    await engine.search({ ...caller, query, limit: 10 + (round % 2), maxTokens: 2000 });
    return performance.now() - started;
  };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sums = [0, 0];
    for (const [at, query] of QUESTIONS.entries()) {
      for (const which of (round + at) % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        // oxlint-disable-next-line no-await-in-loop -- one question after the other
        sums[which] = (sums[which] ?? 0) + (await ask(engines[which], query, round));
      }
    }
    // The first rounds load shared code and data.
    if (round > 2) ratios.push((sums[0] ?? 0) / (sums[1] ?? 1));
  }
  for (const engine of engines) await engine.close();
  rmSync(data, { recursive: true, force: true });
  const median = ratios.toSorted((one, other) => one - other)[ratios.length >> 1] ?? 0;
  console.log(`search_context with masks takes ${median.toFixed(3)} of the time without them`);
}
