// npm run bench:rivals [-- --only express] [--rounds N] [--folder DIR] [--mirrors DIR] [--publish]
// Compares svc with other tools that find code: the same corpora, the same queries, the same minutes. Tools and
// corpora are installed into a separate folder. The figures are printed and stored in bench/results; with
// --publish they become docs/benchmarks.json, from which `npm run gen` makes the page and its picture.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { corpusFolder, prepareCorpora } from "../quality/prepare.ts";
import { loadLibrary, OWN_QUESTIONS, type Corpus, type Question } from "../quality/questions.ts";
import { table } from "../quality/table.ts";
import { filesBelow, SVC, totalBytes } from "../workspace.ts";
import { install } from "./compare/install.ts";
import { measure } from "./compare/measure.ts";
import type { Comparison, CorpusFigures } from "./compare/measured.ts";

/** A small corpus, and one of about 850 files; both have queries with known answers. */
const CORPORA = ["express", "tokio"];
const GITHUB = "https://github.com";
const ROOT = join(import.meta.dirname, "../..");

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: join(tmpdir(), "svc-rivals") },
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] },
    only: { type: "string", multiple: true, default: CORPORA },
    rounds: { type: "string", default: "3" },
    publish: { type: "boolean", default: false },
  },
});
if (!existsSync(SVC)) throw new Error("There is no dist/svc yet: run `npm run build`.");
const from = performance.now();
const loadAtStart = loadNow();
console.log(`${machine()}, load ${loadAtStart}`);
const { contenders, skipped } = install(join(values.folder, "tools"));
for (const { name, version } of contenders) console.log(`with     ${name} ${version}`);
for (const { name, reason } of skipped) console.log(`without  ${name}: ${reason}`);

const { corpora, questions } = loadLibrary([OWN_QUESTIONS]);
const store = { folder: join(values.folder, "corpora"), mirrors: values.mirrors, remote: GITHUB };
const measured: CorpusFigures[] = [];
for (const id of values.only) {
  const corpus = corpora.get(id);
  if (corpus === undefined) throw new Error(`There is no corpus ${id} in corpora.json.`);
  const missing = prepareCorpora([corpus], store).get(id);
  if (missing !== undefined) throw new Error(`${id}: ${missing}`);
  const ofCorpus = questions.filter((question) => question.corpus === id);
  // oxlint-disable-next-line no-await-in-loop -- parallel runs would distort the times
  measured.push(await compareOn(corpus, ofCorpus));
}
keep({
  date: new Date().toISOString().slice(0, 10),
  machine: machine(),
  load: [loadAtStart, loadNow()],
  seconds: Math.round((performance.now() - from) / 1000),
  tools: contenders.map(({ name, version, form }) => ({ name, version, form })),
  skipped,
  corpora: measured,
});

async function compareOn(corpus: Corpus, ofCorpus: readonly Question[]): Promise<CorpusFigures> {
  const { id, github, commit } = corpus;
  const folder = corpusFolder(store, corpus);
  const files = filesBelow(folder);
  const bytes = totalBytes(files);
  console.log(`\n${id}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
  const scratch = mkdtempSync(join(tmpdir(), "svc-compare-"));
  try {
    const rounds = Math.max(1, Number(values.rounds));
    const tools = await measure(contenders, {
      folder,
      questions: ofCorpus,
      scratch,
      rounds,
      report: progress,
    });
    const headings = Object.keys(tools[0] ?? {});
    console.log(
      table(
        headings,
        tools.map((row) => Object.values(row).map((value) => value ?? "-")),
      ),
    );
    return { id, github, commit, files: files.length, bytes, questions: ofCorpus.length, tools };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function keep(comparison: Comparison): void {
  const text = `${JSON.stringify(comparison, null, 2)}\n`;
  const results = join(ROOT, "bench/results");
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, "rivals.json"), text);
  console.log(`\n${comparison.seconds} s; kept in bench/results/rivals.json`);
  if (!values.publish) return;
  writeFileSync(join(ROOT, "docs/benchmarks.json"), text);
  console.log("published as docs/benchmarks.json; now `npm run gen` and `npm run fix`");
}

function progress(line: string): void {
  console.log(`  ${line}`);
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown";
  return `${availableParallelism()} cores (${model}), Node ${process.versions.node}`;
}

function loadNow(): number {
  return Number((loadavg()[0] ?? Number.NaN).toFixed(1));
}
