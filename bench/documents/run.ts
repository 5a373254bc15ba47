// node bench/documents/run.ts [FLAGS]: measures svc on documents. Asks questions about real documents in a project of
// code and documents, compares their outlines with those of other programs, and measures the cost.
// --fuzz N: N mutated documents of each format. --fetch: fetches missing documents.
// Exit code 1 if something failed, 2 if the command line is wrong.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { SvcError } from "../../src/base/errors.ts";
import { keep } from "../quality/publish.ts";
import { homesIn, runSvcAt } from "../workspace.ts";
import { askQuestions } from "./ask.ts";
import {
  extractionCosts,
  extractionTable,
  indexCost,
  indexCostTable,
  type IndexCost,
} from "./cost.ts";
import { extractAll, type Extraction } from "./extraction.ts";
import { fetchDocuments } from "./fetch.ts";
import { fuzz } from "./fuzz.ts";
import { groupOf, missingFrom, readManifest, type ManifestEntry } from "./manifest.ts";
import { parseOptions, type Options, type Part } from "./options.ts";
import { checkOutline, outlineTable, type OutlineCheck } from "./outline-check.ts";
import { readerOutline } from "./outline.ts";
import { codeProject, mixedProject } from "./project.ts";
import { readFurtherQuestions, readQuestions } from "./questions.ts";
import { figuresByGroup, figuresTable, MIN_AMONG_THREE } from "./score.ts";

interface Measured {
  readonly figures: Readonly<Record<string, unknown>>;
  /** For `--out`. */
  readonly details?: unknown;
  readonly failures: readonly string[];
}

interface Bench {
  readonly options: Options;
  readonly manifest: readonly ManifestEntry[];
  /** A temporary folder. */
  readonly work: string;
}

const MEASURES: Readonly<Record<Part, (bench: Bench) => Promise<Measured>>> = {
  questions: (bench) => Promise.resolve(questions(bench)),
  outlines,
  cost,
};

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const work = mkdtempSync(join(tmpdir(), "svc-bench-documents-work-"));
  try {
    const options = parseOptions(words, process.env);
    const manifest = readManifest().filter(({ file }) => options.groups.includes(groupOf(file)));
    if (options.fetch) {
      for (const problem of fetchDocuments(options.documents, manifest))
        console.error(`bench: ${problem}`);
    }
    requireDocuments(options, manifest);
    const failures =
      options.fuzz === undefined
        ? await measure({ options, manifest, work })
        : await fuzz({ ...options, count: options.fuzz, manifest, work });
    for (const failure of failures) console.error(`bench: ${failure}`);
    return failures.length === 0 ? 0 : 1;
  } catch (failure) {
    if (!(failure instanceof SvcError)) throw failure;
    console.error(`bench: ${failure.detail}`);
    return 2;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function requireDocuments({ documents }: Options, manifest: readonly ManifestEntry[]): void {
  const missing = missingFrom(documents, manifest);
  const [first] = missing;
  if (first === undefined) return;
  throw new SvcError(
    "USAGE",
    `${missing.length} documents are not in ${documents}: ${first.file}.`,
    {
      hint: "Fetch them with --fetch.",
    },
  );
}

async function measure(bench: Bench): Promise<readonly string[]> {
  const { parts, out } = bench.options;
  const measured: Record<string, Measured> = {};
  for (const part of parts) {
    // oxlint-disable-next-line no-await-in-loop -- measures follow each other
    measured[part] = await MEASURES[part](bench);
  }
  const all = Object.entries(measured);
  const figures = Object.fromEntries(all.map(([part, of]) => [part, of.figures]));
  keep("documents", figures);
  if (out !== undefined) {
    mkdirSync(dirname(out), { recursive: true });
    const details = Object.fromEntries(all.map(([part, of]) => [part, of.details]));
    writeFileSync(out, `${JSON.stringify({ figures, details }, null, 1)}\n`);
  }
  return all.flatMap(([, { failures }]) => failures);
}

function questions({ options: { svc, documents, groups }, manifest, work }: Bench): Measured {
  const root = mixedProject(join(work, "asked"), documents, manifest);
  const env = homesIn(work)();
  runSvcAt(svc, ["index", root], env);
  const asked = [...readQuestions(), ...readFurtherQuestions()].filter(({ group }) =>
    groups.includes(group),
  );
  const answers = askQuestions(asked, documents, { svc, root, env });
  const figures = figuresByGroup(answers);
  console.log(`\n${figuresTable(figures)}`);
  // The misses of the other sets stay hidden while svc is improved.
  for (const { rank, document, question } of answers.filter(({ set }) => set === "develop")) {
    if (rank === undefined || rank > 3) console.log(`${rank ?? "-"}  ${document}: ${question}`);
  }
  const errors = answers.flatMap(({ question, error }) =>
    error === undefined ? [] : [`${question}: ${error}`],
  );
  const low = Object.entries(figures)
    .filter(([name, { amongThree }]) => amongThree < MIN_AMONG_THREE && !name.startsWith("further"))
    .map(
      ([name]) =>
        `fewer than ${100 * MIN_AMONG_THREE} % of the questions about ${name} are answered in the first three`,
    );
  return { figures, details: answers, failures: [...errors, ...low] };
}

async function outlines({ options: { documents }, manifest }: Bench): Promise<Measured> {
  const extractions = await extractAll(documents, manifest);
  const checks = extractions.flatMap(({ file, document }): readonly OutlineCheck[] => {
    const reader = readerOutline(join(documents, file));
    return document === undefined || reader === undefined
      ? []
      : [checkOutline(file, document, reader)];
  });
  console.log(`\n${outlineTable(checks)}`);
  for (const { file, parts, headings, sheets } of checks) {
    for (const { right, of, wrong } of [parts, headings, sheets].flatMap((part) => part ?? [])) {
      if (right < of) console.log(`${file}: ${right} of ${of}; not: ${wrong.join("; ")}`);
    }
  }
  return { figures: { checks }, details: checks, failures: unreadDocuments(extractions) };
}

async function cost({ options: { svc, documents }, manifest, work }: Bench): Promise<Measured> {
  const extraction = extractionCosts(await extractAll(documents, manifest));
  console.log(`\n${extractionTable(extraction)}`);
  const index: Record<string, IndexCost> = {};
  const projects = {
    "code alone": codeProject(join(work, "code")),
    "code and documents": mixedProject(join(work, "mixed"), documents, manifest),
  };
  const homes = join(work, "cost");
  mkdirSync(homes);
  const freshHome = homesIn(homes);
  for (const [name, root] of Object.entries(projects)) {
    // oxlint-disable-next-line no-await-in-loop -- one measures while nothing else runs
    index[name] = await indexCost(svc, root, freshHome);
  }
  console.log(`\n${indexCostTable(index)}`);
  return { figures: { extraction, index }, failures: [] };
}

function unreadDocuments(extractions: readonly Extraction[]): readonly string[] {
  return extractions.flatMap(({ file, failure }) =>
    failure === undefined ? [] : [`${file}: ${failure}`],
  );
}
