import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { seededRandom } from "../../../bench/quality/random.ts";
import type { Example, ExampleFile } from "../../../scripts/ranking/example.ts";
import { ndcg } from "../../../scripts/ranking/measures.ts";
import { CHUNK_FEATURES, FILE_FEATURES, PRODUCT_FEATURES } from "../../../src/search/features.ts";
import { RANKED_FEATURES } from "../../../src/search/rank-features.ts";
import { RANKING_FEATURES } from "../../../src/search/ranking-model.ts";
import weights from "../../../src/search/ranking-weights.json" with { type: "json" };
import { tree } from "../../helpers/tree.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PRODUCT = join(ROOT, "src/search/ranking-weights.json");

/** Shows which file answers, and which of its chunks; no weight is expected for either. */
const FILE_SIGN = "fileNameOverlap";
const CHUNK_SIGN = "isConstant";

const random = seededRandom("examples");

function valuesOf(names: readonly string[], sign: string, isAnswer: boolean): readonly number[] {
  return names.map((name) => (name === sign ? Number(isAnswer) : 0) + random() * 0.3);
}

function fileOf(number: number, isAnswer: boolean): ExampleFile {
  return {
    path: `src/${number}.ts`,
    role: "code",
    gain: Number(isAnswer),
    before: valuesOf(FILE_FEATURES, FILE_SIGN, isAnswer),
    after: valuesOf([...PRODUCT_FEATURES, ...RANKED_FEATURES], "", false),
    chunks: [1, 2, 3, 4, 5].map((startLine) => ({
      startLine,
      answers: isAnswer && startLine === 4,
      features: valuesOf(CHUNK_FEATURES, CHUNK_SIGN, startLine === 4),
    })),
  };
}

/** Queries about six projects in two languages; the answer is anywhere among twelve files. */
const examples = Array.from({ length: 60 }, (_, at): Example => {
  const answer = Math.floor(random() * 12);
  return {
    id: `q${at}`,
    suite: "generated",
    language: at % 2 === 0 ? "typescript" : "python",
    repository: `own/${at % 6}`,
    query: "where is it",
    asksHow: false,
    grades: [1],
    hasLines: true,
    candidates: Array.from({ length: 12 }, (__, number) => fileOf(number, number === answer)),
  };
});

const place = tree({
  "examples.jsonl": examples.map((one) => `${JSON.stringify(one)}\n`).join(""),
});
afterAll(place.dispose);

function train(...words: readonly string[]): string {
  const script = join(ROOT, "scripts/ranking/train.ts");
  const all = [script, join(place.path, "examples.jsonl"), ...words];
  const { stdout, stderr, status } = spawnSync(process.execPath, all, { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

/** The printed quality of the order, and how often the right lines are shown. */
function figures(
  printed: string,
  what: string,
): { readonly files: number; readonly lines: number } {
  const line = printed.split("\n").find((one) => one.startsWith(`${what}: `)) ?? "";
  const [, files, lines] = /generated ([\d.]+) \(lines ([\d.]+)\)/.exec(line) ?? [];
  return { files: Number(files), lines: Number(lines) };
}

interface Weights {
  readonly chunk: Readonly<Record<string, number>>;
  readonly ranking: Readonly<Record<string, number>>;
}

function written(name: string): Weights {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what train.ts wrote
  return JSON.parse(readFileSync(join(place.path, name), "utf8")) as Weights;
}

const asTheyCame =
  examples.reduce(
    (sum, one) =>
      sum +
      ndcg(
        one,
        one.candidates.map(({ gain }) => gain),
      ),
    0,
  ) / examples.length;

// Learning six times takes long.
const LONG_TIMEOUT = { timeout: 30_000 };

test(
  "the learned order is better than the order of the files, also for projects outside of the training set",
  LONG_TIMEOUT,
  () => {
    const printed = train("--out", join(place.path, "weights.json"));
    const unseen = figures(printed, "not learned from");
    expect(asTheyCame).toBeLessThan(0.5);
    expect(unseen.files).toBeGreaterThan(asTheyCame + 0.3);
    expect(unseen.lines).toBeGreaterThan(0.9);
    expect(figures(printed, "learned from").files).toBeGreaterThan(asTheyCame + 0.3);

    const { chunk, ranking } = written("weights.json");
    expect(Object.keys(chunk)).toEqual([...CHUNK_FEATURES]);
    expect(Object.keys(ranking)).toEqual([...RANKING_FEATURES]);
    expect(ranking[FILE_SIGN]).toBe(Math.max(...Object.values(ranking)));
    expect(chunk[CHUNK_SIGN]).toBe(Math.max(...Object.values(chunk)));
  },
);

test("an omitted feature has no weight, and the result is worse", LONG_TIMEOUT, () => {
  const printed = train("--without", FILE_SIGN, "--out", join(place.path, "without.json"));
  expect(written("without.json").ranking[FILE_SIGN]).toBe(0);
  expect(figures(printed, "not learned from").files).toBeLessThan(asTheyCame + 0.3);
});

test("with --only, every other weight stays as it is", LONG_TIMEOUT, () => {
  train("--only", FILE_SIGN, "--out", join(place.path, "only.json"));
  const { chunk, ranking } = written("only.json");
  const product: Weights = weights;
  expect(ranking[FILE_SIGN]).toBeGreaterThan(product.ranking[FILE_SIGN] ?? 0);
  expect(chunk).toEqual(product.chunk);
  expect({ ...ranking, [FILE_SIGN]: 0 }).toEqual({ ...product.ranking, [FILE_SIGN]: 0 });
});

test("a dry run prints the same and writes nothing", LONG_TIMEOUT, () => {
  const before = readFileSync(PRODUCT, "utf8");
  const printed = train("--dry-run", "--out", join(place.path, "dry.json"));
  expect(printed).toBe(train("--dry-run"));
  expect(figures(printed, "not learned from").files).toBeGreaterThan(0);
  expect(existsSync(join(place.path, "dry.json"))).toBe(false);
  expect(readFileSync(PRODUCT, "utf8")).toBe(before);
});
