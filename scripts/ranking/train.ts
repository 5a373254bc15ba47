// node scripts/ranking/train.ts FILE… [--without NAME]… [--only NAME]… [--out FILE] [--dry-run]
// Learns the weights of src/search/ranking-weights.json from the output of collect.ts. Prints the quality of the order
// for repositories outside the training set (cross-validation), then trains on all and writes the weights.
// --without leaves a feature out, as for the table of docs/ranking.md. --only learns the weights of these features; the
// others keep theirs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { CHUNK_FEATURES } from "../../src/search/features.ts";
import { withDocsFirst } from "../../src/search/docs-first.ts";
import {
  CHUNK_WEIGHTS,
  RANKING_FEATURES,
  RANKING_WEIGHTS,
} from "../../src/search/ranking-model.ts";
import rankingWeights from "../../src/search/ranking-weights.json" with { type: "json" };
import {
  MAX_CHUNKS_PER_FILE,
  RERANKED_CHUNKS,
  SCORE_GAP_WEIGHT,
  MAX_SCORE_GAP,
} from "../../src/search/weights.ts";
import type { Example, ExampleChunk, ExampleFile } from "./example.ts";
import { EXPECTED_CHUNK, EXPECTED_RANKING, SIGNS_CHUNK, SIGNS_RANKING } from "./expected.ts";
import { isOnlyForJudging } from "./judging.ts";
import { fit, type Group } from "./linear-model.ts";
import { macros, ndcg, type ScoredExample } from "./measures.ts";

const PRODUCT = join(import.meta.dirname, "../../src/search/ranking-weights.json");
const FOLDS = 5;
const RANKING_FIT = { rigidity: 1e-3, epochs: 120 };
const CHUNK_FIT = { rigidity: 1e-3, epochs: 150 };
/**
 * All suites have the same weight, except these: suites of few repositories, and of unnatural queries. `howto` is the
 * only one about the features of intent.
 */
const SUITE_WEIGHTS: Readonly<Record<string, number>> = {
  "docstring-more": 0.5,
  sivru: 0.5,
  howto: 2,
};
/** Number of results whose lines are compared with the right lines. */
const FIRST_RESULTS = 10;

interface Model {
  readonly chunk: readonly number[];
  readonly ranking: readonly number[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    without: { type: "string", multiple: true, default: [] },
    only: { type: "string", multiple: true, default: [] },
    out: { type: "string", default: PRODUCT },
    "dry-run": { type: "boolean", default: false },
  },
});
const without = new Set(values.without);
const examples = positionals.flatMap(readExamples);
const weights = weightsOf(examples);
const folds = foldsOf(examples);

const judged = Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
  const model = learn(
    examples.filter((example) => folds.get(example) !== fold && !isOnlyForJudging(example)),
  );
  return examples
    .filter((example) => folds.get(example) === fold)
    .map((example) => scoreExample(example, model));
});
print("not learned from", judged);
const model = learn(examples.filter((example) => !isOnlyForJudging(example)));
print(
  "learned from",
  examples.map((example) => scoreExample(example, model)),
);
if (!values["dry-run"]) {
  const file = {
    ...rankingWeights,
    chunk: named(CHUNK_FEATURES, model.chunk),
    ranking: named(RANKING_FEATURES, model.ranking),
  };
  writeFileSync(values.out, `${JSON.stringify(file, null, 2)}\n`);
}

function named(names: readonly string[], numbers: readonly number[]): Record<string, number> {
  return Object.fromEntries(names.map((name, at) => [name, Number((numbers[at] ?? 0).toFixed(3))]));
}

function readExamples(file: string): readonly Example[] {
  const found: Example[] = [];
  const bytes = readFileSync(file);
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what collect.ts wrote
    found.push(JSON.parse(bytes.toString("utf8", start, end)) as Example);
    start = end + 1;
  }
  return found;
}

/** Every suite has the same weight; so has every language in it, and every repository in a language. */
function weightsOf(all: readonly Example[]): ReadonlyMap<Example, number> {
  const found = new Map<Example, number>();
  for (const [suite, ofSuite] of Map.groupBy(all, (example) => example.suite)) {
    const languages = Map.groupBy(ofSuite, ({ language }) => language);
    for (const ofLanguage of languages.values()) {
      const repositories = Map.groupBy(ofLanguage, ({ repository }) => repository);
      for (const some of repositories.values()) {
        const weight =
          (SUITE_WEIGHTS[suite] ?? 1) / (languages.size * repositories.size * some.length);
        for (const example of some) found.set(example, weight);
      }
    }
  }
  return found;
}

/** All queries about a repository are in one fold, unless it is the only one of their suite. */
function foldsOf(all: readonly Example[]): ReadonlyMap<Example, number> {
  const repositories = [...new Set(all.map(({ repository }) => repository))].toSorted();
  const bySuite = Map.groupBy(all, ({ suite }) => suite);
  const isAlone = new Map(
    [...bySuite].map(([suite, some]) => [
      suite,
      new Set(some.map((one) => one.repository)).size === 1,
    ]),
  );
  return new Map(
    all.map((example, at) => [
      example,
      (isAlone.get(example.suite) === true ? at : repositories.indexOf(example.repository)) % FOLDS,
    ]),
  );
}

function learn(from: readonly Example[]): Model {
  const fixedChunk = CHUNK_FEATURES.map(isFixed);
  const fixedRanking = RANKING_FEATURES.map(isFixed);
  const chunk = fit(chunkGroups(from), {
    ...CHUNK_FIT,
    signs: CHUNK_FEATURES.map((name) => SIGNS_CHUNK[name] ?? 0),
    expected: CHUNK_FEATURES.map((name, at) =>
      fixedChunk[at] === true ? (CHUNK_WEIGHTS[at] ?? 0) : (EXPECTED_CHUNK[name] ?? 0),
    ),
    isFixed: fixedChunk,
  });
  const ranking = fit(
    from.flatMap((example) => rankingGroup(example, chunk)),
    {
      ...RANKING_FIT,
      signs: RANKING_FEATURES.map((name) => SIGNS_RANKING[name] ?? 0),
      expected: RANKING_FEATURES.map((name, at) => {
        if (without.has(name)) return 0;
        return fixedRanking[at] === true
          ? (RANKING_WEIGHTS[at] ?? 0)
          : (EXPECTED_RANKING[name] ?? 0);
      }),
      isFixed: fixedRanking,
    },
  );
  return { chunk, ranking };
}

/** Whether --only keeps the weight of the feature. */
function isFixed(name: string): boolean {
  return values.only.length > 0 && !values.only.includes(name);
}

/** The files of the right answer, if its lines are known. */
function chunkGroups(from: readonly Example[]): readonly Group[] {
  return from.flatMap((example) =>
    example.candidates.flatMap(({ gain, chunks }): readonly Group[] => {
      const answering = chunks.filter(({ answers }) => answers).length;
      if (gain === 0 || answering === 0 || answering === chunks.length) return [];
      return [
        {
          features: Float32Array.from(chunks.flatMap(({ features }) => features)),
          shares: Float64Array.from(chunks, ({ answers }) => (answers ? 1 / answering : 0)),
          weight: 1,
        },
      ];
    }),
  );
}

function rankingGroup(example: Example, chunk: readonly number[]): readonly Group[] {
  const total = example.candidates.reduce((sum, { gain }) => sum + gain, 0);
  if (total === 0) return [];
  return [
    {
      features: Float32Array.from(example.candidates.flatMap((file) => featuresOf(file, chunk))),
      shares: Float64Array.from(example.candidates, ({ gain }) => gain / total),
      weight: weights.get(example) ?? 0,
    },
  ];
}

function featuresOf(file: ExampleFile, chunk: readonly number[]): readonly number[] {
  const [best] = byScore(file.chunks, chunk);
  const features = [...file.before, ...(best?.features ?? []), ...file.after];
  if (without.size === 0) return features;
  return features.map((value, at) => (without.has(RANKING_FEATURES[at] ?? "") ? 0 : value));
}

function byScore(
  chunks: readonly ExampleChunk[],
  chunk: readonly number[],
): readonly ExampleChunk[] {
  return chunks
    .toSorted((one, other) => dot(chunk, other.features) - dot(chunk, one.features))
    .slice(0, RERANKED_CHUNKS);
}

/** In the order and form that the product shows. */
function scoreExample(example: Example, { chunk, ranking }: Model): ScoredExample {
  const byScoreOfFile = example.candidates
    .map((file) => ({ file, score: dot(ranking, featuresOf(file, chunk)) }))
    .toSorted((one, other) => other.score - one.score);
  const files = (example.asksHow ? withDocsFirst(byScoreOfFile) : byScoreOfFile).slice(
    0,
    FIRST_RESULTS,
  );
  const results = files.flatMap(({ file, score }) => {
    const [first] = byScore(file.chunks, chunk);
    const best = first === undefined ? 0 : dot(chunk, first.features);
    const chunks = byScore(file.chunks, chunk)
      .slice(0, MAX_CHUNKS_PER_FILE)
      .filter(({ features }) => dot(chunk, features) >= best - MAX_SCORE_GAP);
    return chunks.map((one) => ({
      one,
      score: score + SCORE_GAP_WEIGHT * (dot(chunk, one.features) - best),
    }));
  });
  const first = results.toSorted((one, other) => other.score - one.score).slice(0, FIRST_RESULTS);
  return {
    example,
    ndcg: ndcg(
      example,
      files.map(({ file }) => file.gain),
    ),
    hasLines: example.hasLines ? first.some(({ one }) => one.answers) : undefined,
  };
}

function dot(some: readonly number[], others: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < some.length; at += 1) sum += (some[at] ?? 0) * (others[at] ?? 0);
  return sum;
}

function print(what: string, all: readonly ScoredExample[]): void {
  const files = macros(all, (one) => one.ndcg);
  const lines = macros(all, ({ hasLines }) =>
    hasLines === undefined ? undefined : Number(hasLines),
  );
  const figures = [...files].map(([suite, value]) => {
    const found = lines.get(suite);
    return `${suite} ${value.toFixed(3)}${found === undefined ? "" : ` (lines ${found.toFixed(3)})`}`;
  });
  console.log(`${what}: ${figures.toSorted().join("  ")}`);
}
