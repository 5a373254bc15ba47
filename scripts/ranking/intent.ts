// node scripts/ranking/intent.ts [--questions DIR]… [--out FILE] [--dry-run]
// Learns the part "intent" of src/search/ranking-weights.json from the words of the questions of bench/quality: whether
// a question is one of `howto`, among those without an explicit intent. All suites about code together have the same
// weight as `howto`. Prints the mean chance of each suite, for repositories outside the training set.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { loadLibrary, OWN_QUESTIONS } from "../../bench/quality/questions.ts";
import { mean } from "../../bench/quality/statistics.ts";
import { tasksOf, type Task } from "../../bench/quality/suites.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { INTENT_FEATURES, intentFeatures } from "../../src/search/intent.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { isOnlyForJudging } from "./judging.ts";
import { fit, type Group } from "./linear-model.ts";

const PRODUCT = join(import.meta.dirname, "../../src/search/ranking-weights.json");
const FOLDS = 5;
const FIT = { rigidity: 3e-3, epochs: 400 };
const CODE_SUITES = ["semble", "semble-full", "prx", "sivru", "commits", "swe", "docstring"];
const NAMES = [...INTENT_FEATURES, "bias"] as const;

interface Observation {
  readonly suite: string;
  readonly repository: string;
  /** In the order of `NAMES`. */
  readonly features: readonly number[];
  readonly isHowTo: boolean;
}

const { values } = parseArgs({
  options: {
    questions: { type: "string", multiple: true, default: [] },
    out: { type: "string", default: PRODUCT },
    "dry-run": { type: "boolean", default: false },
  },
});
const tokenizer = createTokenizer();
const library = loadLibrary([OWN_QUESTIONS, ...values.questions]);
const all = tasksOf(library, { suites: ["howto", ...CODE_SUITES] }).flatMap(observe);
const repositories = [...new Set(all.map(({ repository }) => repository))].toSorted();

const judged = Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
  const isIn = ({ repository }: Observation): boolean =>
    repositories.indexOf(repository) % FOLDS === fold;
  const weights = learn(all.filter((one) => !isIn(one)));
  return all.filter(isIn).map((one) => ({ ...one, chance: chanceOf(one, weights) }));
});
for (const [suite, some] of Map.groupBy(judged, (one) => one.suite)) {
  const chance = mean(some.map((one) => one.chance));
  console.log(`${suite}: ${some.length} questions, mean chance ${chance.toFixed(2)}`);
}
const learned = learn(all);
if (!values["dry-run"]) {
  const file: object = JSON.parse(readFileSync(PRODUCT, "utf8"));
  const intent = Object.fromEntries(
    NAMES.map((name, at) => [name, Number((learned[at] ?? 0).toFixed(3))]),
  );
  writeFileSync(values.out, `${JSON.stringify({ ...file, intent }, null, 2)}\n`);
}

/** Empty for a question whose words decide, because it has no features. */
function observe({ suite, question: { query }, place }: Task): readonly Observation[] {
  const parsed = parseQuery(query, tokenizer);
  if (parsed.asksHow || parsed.intent === 0) return [];
  const features = [...intentFeatures(query, parsed), 1];
  return [{ suite, repository: place.corpus.github, features, isHowTo: suite === "howto" }];
}

function learn(from: readonly Observation[]): readonly number[] {
  const allowed = from.filter((one) => !isOnlyForJudging(one));
  const counts = Map.groupBy(allowed, ({ suite }) => suite);
  // Logistic regression: a choice between the question and nothing.
  const groups = allowed.map(({ suite, features, isHowTo }): Group => ({
    features: Float32Array.from([...features, ...features.map(() => 0)]),
    shares: Float64Array.from([Number(isHowTo), Number(!isHowTo)]),
    weight: (isHowTo ? 1 : 1 / CODE_SUITES.length) / (counts.get(suite)?.length ?? 1),
  }));
  return fit(groups, { ...FIT, expected: NAMES.map(() => 0) });
}

function chanceOf({ features }: Observation, weights: readonly number[]): number {
  const sum = features.reduce((total, value, at) => total + value * (weights[at] ?? 0), 0);
  return 1 / (1 + Math.exp(-sum));
}
