// Tests whether a mutated document crashes the program, keeps it busy, or breaks the reading of another document.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

import { DOCUMENT_EXTENSIONS } from "../../src/base/documents/document-formats.ts";
import { SvcError } from "../../src/base/errors.ts";
import { keep } from "../quality/publish.ts";
import { table } from "../quality/table.ts";
import { checkRun } from "./fuzz-run.ts";
import type { FuzzedDocument } from "./fuzz-child.ts";
import type { ManifestEntry } from "./manifest.ts";
import { FORMATS } from "./mutated.ts";

type Format = (typeof FORMATS)[number];

interface FuzzOptions {
  readonly svc: string;
  readonly documents: string;
  readonly manifest: readonly ManifestEntry[];
  readonly work: string;
  readonly count: number;
  readonly from: number;
  readonly formats: readonly string[] | undefined;
  readonly out: string | undefined;
}

interface FuzzedFormat {
  readonly format: Format;
  readonly documents: readonly FuzzedDocument[];
}

/** The processor time limit of a document, and the time for ending the thread and starting another. */
const MAX_CPU_MS = 20_000 + 5000;
/** The heap, buffers outside the heap, and the program itself. */
const MAX_PEAK_BYTES = 1 << 30;
/** A process that reports nothing for this long hangs. */
const MAX_SILENCE_MS = 180_000;
const CRASH = "crash";
const HANG = "hang";

/** Returns a sentence for each failure. */
export async function fuzz(options: FuzzOptions): Promise<readonly string[]> {
  const { svc, documents, manifest, work, count, out } = options;
  const done: FuzzedFormat[] = [];
  for (const format of formatsOf(options.formats)) {
    // oxlint-disable-next-line no-await-in-loop -- processor time and memory are those of one format
    done.push({ format, documents: await fuzzFormat(format, options) });
  }
  console.log(`\n${fuzzTable(done)}`);
  keep("documents-fuzz", { count, from: options.from, formats: done.map(summary) });
  if (out !== undefined) {
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, JSON.stringify(done));
  }
  const formats = done.map(({ format }) => format);
  return [...failuresOf(done), ...checkRun({ svc, documents, manifest, work, formats })];
}

function formatsOf(names: readonly string[] | undefined): readonly Format[] {
  const unknown = names?.find((name) => FORMATS.every((format) => format !== name));
  if (unknown !== undefined) {
    throw new SvcError("USAGE", `There is no format "${unknown}".`, {
      hint: `There are ${Object.keys(DOCUMENT_EXTENSIONS).join(", ")}.`,
    });
  }
  return FORMATS.filter((format) => names === undefined || names.includes(format));
}

async function fuzzFormat(
  format: Format,
  { documents, from, count }: FuzzOptions,
): Promise<readonly FuzzedDocument[]> {
  const done: FuzzedDocument[] = [];
  while (done.length < count) {
    const next = from + done.length;
    // oxlint-disable-next-line no-await-in-loop -- the next process begins where this one has ended
    const outcome = await fuzzRange([documents, format, String(next), String(from + count)], done);
    if (outcome === undefined) continue;
    const index = from + done.length;
    done.push({ index, kind: "", outcome, cpuMs: 0, peakBytes: 0 });
  }
  return done;
}

/** Adds the documents that a process reports. Returns the reason for its end. */
async function fuzzRange(
  args: readonly string[],
  done: FuzzedDocument[],
): Promise<string | undefined> {
  const script = join(import.meta.dirname, "fuzz-child.ts");
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let isSilent = false;
  const stop = (): void => {
    isSilent = true;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(stop, MAX_SILENCE_MS);
  createInterface({ input: child.stdout }).on("line", (line) => {
    clearTimeout(timer);
    timer = setTimeout(stop, MAX_SILENCE_MS);
    const document: FuzzedDocument = JSON.parse(line);
    done.push(document);
  });
  const [code]: unknown[] = await once(child, "close");
  clearTimeout(timer);
  if (code === 0) return undefined;
  return isSilent ? HANG : CRASH;
}

function summary({ format, documents }: FuzzedFormat) {
  const count = (is: (document: FuzzedDocument) => boolean): number => documents.filter(is).length;
  const largest = (of: (document: FuzzedDocument) => number): number =>
    Math.max(0, ...documents.map(of));
  const outcomes = Object.fromEntries(
    [...Map.groupBy(documents, ({ outcome }) => outcome)].map(([name, of]) => [name, of.length]),
  );
  return {
    format,
    documents: documents.length,
    outcomes,
    crashes: count(({ outcome }) => outcome === CRASH),
    hangs: count(({ outcome, cpuMs }) => outcome === HANG || cpuMs > MAX_CPU_MS),
    maxCpuMs: largest(({ cpuMs }) => cpuMs),
    peakBytes: largest(({ peakBytes }) => peakBytes),
    intactAfter: count(({ isNextIntact }) => isNextIntact === true),
    spoiled: count(({ isNextIntact }) => isNextIntact === false),
  };
}

function fuzzTable(done: readonly FuzzedFormat[]): string {
  const headings =
    "mutated,documents,read,refused,too slow,too large,crashes,hangs,most cpu s,peak MB,intact after".split(
      ",",
    );
  const rows = done.map((format) => {
    const of = summary(format);
    const {
      read = 0,
      "document-too-slow": slow = 0,
      "document-too-large": large = 0,
    } = of.outcomes;
    return [
      of.format,
      of.documents,
      read,
      of.documents - read - slow - large - of.crashes - of.hangs,
      slow,
      large,
      of.crashes,
      of.hangs,
      (of.maxCpuMs / 1000).toFixed(1),
      (of.peakBytes / 1e6).toFixed(0),
      `${of.intactAfter} of ${of.intactAfter + of.spoiled}`,
    ];
  });
  return table(headings, rows);
}

function failuresOf(done: readonly FuzzedFormat[]): readonly string[] {
  return done.flatMap((fuzzed) => {
    const { format, crashes, hangs, spoiled, peakBytes } = summary(fuzzed);
    const bad = fuzzed.documents.filter(
      ({ outcome, cpuMs }) => outcome === CRASH || outcome === HANG || cpuMs > MAX_CPU_MS,
    );
    const which = bad.map(({ index }) => index).join(", ");
    return [
      ...(crashes + hangs > 0
        ? [`${crashes} of the ${format} documents end the process and ${hangs} hang: ${which}`]
        : []),
      ...(spoiled > 0 ? [`${spoiled} intact ${format} documents were read otherwise`] : []),
      ...(peakBytes > MAX_PEAK_BYTES
        ? [`${format} documents take ${(peakBytes / 1e6).toFixed(0)} MB`]
        : []),
    ];
  });
}
