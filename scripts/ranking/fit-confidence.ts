// node scripts/ranking/fit-confidence.ts FILE… [--without NAME]… [--out FILE] [--dry-run]
// Fits src/search/confidence-weights.json to the output of collect-confidence.ts, and prints the figures of
// docs/ranking.md, for repositories outside the training set (cross-validation). Run both again after training the
// ranking model, because its scores are among the signals. --without leaves a signal out, as for the table that shows
// the worth of each signal.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { WRONG_SUITE } from "../../bench/quality/wrong.ts";
import {
  CONFIDENCE_FEATURES,
  CONFIDENCE_SIGNALS,
  confidenceFeatures,
} from "../../src/search/confidence-signals.ts";
import { crowdOf } from "../../src/search/confidence.ts";
import type { Asked, AskedKind } from "./asked.ts";
import { printReport, confidenceAt, type JudgedAsking } from "./confidence-report.ts";
import {
  fitLogistic,
  logitOf,
  type LabelledExample,
  type LogisticModel,
} from "./logistic-model.ts";

const PRODUCT = join(import.meta.dirname, "../../src/search/confidence-weights.json");
const FOLDS = 5;
const RIDGE = 5e-4;
const DIGITS = 4;

/** The total weight of each kind of run. */
type Mix = Readonly<Partial<Record<AskedKind, number>>>;

/** Half of the questions in the calibrated mix have an answer in the index. */
const CALIBRATION: Mix = {
  right: 0.5,
  removed: 0.25,
  "wrong language": 0.125,
  "wrong project": 0.125,
};
/** The mix for learning the order of answers: mostly the kinds that differ most. */
const LEARNING: Mix = {
  right: 0.5,
  removed: 0.05,
  "wrong language": 0.2,
  "wrong project": 0.15,
  "wrong in the bench": 0.1,
};
/** The share of false alarms of "no good match", in the suite of `bench:quality --wrong`. */
const MAX_FALSE_ALARMS = 0.01;
/** The share of false alarms of "low confidence", over all suites. */
const MAX_UNSURE = 0.1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    without: { type: "string", multiple: true, default: [] },
    out: { type: "string", default: PRODUCT },
    "dry-run": { type: "boolean", default: false },
  },
});

const all = positionals.flatMap((file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what collect-confidence.ts wrote
    .map((line) => JSON.parse(line) as Asked),
);
const withVectors = all.filter(({ withoutVectors }) => !withoutVectors);
const answer = fitAnswer(withVectors);
const answerWithoutVectors = fitAnswer(all.filter(({ withoutVectors }) => withoutVectors));
const result = fitLogistic(resultExamples(withVectors, answer.unseen), 0);
const shares = weightsOf(withVectors, CALIBRATION);
const judged = withVectors.map((asked): JudgedAsking => {
  const logit = answer.unseen.get(asked) ?? 0;
  return {
    asked,
    isFound: isFound(asked),
    confidence: probabilityOf(logit),
    results: resultFeatures(asked, logit).map((features) =>
      probabilityOf(logitOf(result, features)),
    ),
    weight: shares.get(asked) ?? 0,
  };
});
const found = judged.filter(({ asked, isFound: is }) => asked.kind === "right" && is);
const noGoodMatch = confidenceAt(
  found.filter(({ asked }) => asked.suite === WRONG_SUITE),
  MAX_FALSE_ALARMS,
);
const unsure = confidenceAt(found, MAX_UNSURE);
printReport(judged, { noGoodMatch, unsure });
if (!values["dry-run"]) {
  const [ofAnswer = 0, ofCrowd = 0, ofGap = 0] = result.weights.map(rounded);
  const file = {
    answer: named(answer.model),
    answerWithoutVectors: named(answerWithoutVectors.model),
    result: { intercept: rounded(result.intercept), answer: ofAnswer, crowd: ofCrowd, gap: ofGap },
    noGoodMatch: rounded(noGoodMatch),
    unsure: rounded(unsure),
  };
  writeFileSync(values.out, `${JSON.stringify(file, null, 2)}\n`);
}

function named({ intercept, weights }: LogisticModel): Record<string, number> {
  return {
    intercept: rounded(intercept),
    ...Object.fromEntries(CONFIDENCE_FEATURES.map((name, at) => [name, rounded(weights[at] ?? 0)])),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** Whether one of the first results is right. */
function isFound({ right }: Asked): boolean {
  return right.includes(1);
}

/** Returns the model of all runs, and for each run the prediction of a model that has not seen its repositories. */
function fitAnswer(askings: readonly Asked[]): {
  readonly model: LogisticModel;
  readonly unseen: ReadonlyMap<Asked, number>;
} {
  const repositories = [
    ...new Set(askings.flatMap(({ repository, askedOf }) => [repository, askedOf])),
  ].toSorted();
  const foldOf = (repository: string): number => repositories.indexOf(repository) % FOLDS;
  const unseen = new Map<Asked, number>();
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const model = learn(
      askings.filter(
        ({ repository, askedOf }) => foldOf(repository) !== fold && foldOf(askedOf) !== fold,
      ),
    );
    for (const asked of askings) {
      if (foldOf(asked.repository) === fold) unseen.set(asked, logitOf(model, featuresOf(asked)));
    }
  }
  const calibration = calibrate(askings, unseen);
  const model = learn(askings);
  return {
    model: {
      intercept: logitOf(calibration, [model.intercept]),
      weights: model.weights.map((weight) => weight * (calibration.weights[0] ?? 1)),
    },
    unseen: new Map([...unseen].map(([asked, logit]) => [asked, logitOf(calibration, [logit])])),
  };
}

function learn(askings: readonly Asked[]): LogisticModel {
  const weights = weightsOf(askings, LEARNING);
  return fitLogistic(
    askings.map((asked) => exampleOf(featuresOf(asked), isFound(asked), weights.get(asked))),
    RIDGE,
  );
}

/** Platt's method: a line through the logits makes probabilities of them. */
function calibrate(askings: readonly Asked[], logits: ReadonlyMap<Asked, number>): LogisticModel {
  const weights = weightsOf(askings, CALIBRATION);
  return fitLogistic(
    askings.map((asked) => exampleOf([logits.get(asked) ?? 0], isFound(asked), weights.get(asked))),
    0,
  );
}

function resultExamples(
  askings: readonly Asked[],
  logits: ReadonlyMap<Asked, number>,
): readonly LabelledExample[] {
  const weights = weightsOf(askings, CALIBRATION);
  return askings.flatMap((asked) =>
    resultFeatures(asked, logits.get(asked) ?? 0).map((features, at) =>
      exampleOf(features, asked.right[at] === 1, weights.get(asked)),
    ),
  );
}

/** The inputs of the model of results: the logit of the answer, its crowd, and the gap to the best result. */
function resultFeatures({ scores }: Asked, logit: number): readonly (readonly number[])[] {
  const crowd = crowdOf(scores);
  const [top = 0] = scores;
  return scores.map((score) => [logit, crowd, top - score]);
}

function exampleOf(
  features: readonly number[],
  isRight: boolean,
  weight: number | undefined,
): LabelledExample {
  return { features, label: Number(isRight), weight: weight ?? 0 };
}

function featuresOf({ signals }: Asked): readonly number[] {
  return confidenceFeatures(
    signals.map((value, at) => (values.without.includes(CONFIDENCE_SIGNALS[at] ?? "") ? 0 : value)),
  );
}

/** Every kind has its share of the mix; within a kind, every suite has the same weight. */
function weightsOf(askings: readonly Asked[], mix: Mix): ReadonlyMap<Asked, number> {
  const weights = new Map<Asked, number>();
  for (const [kind, ofKind] of Map.groupBy(askings, (asked) => asked.kind)) {
    const suites = Map.groupBy(ofKind, ({ suite }) => suite);
    for (const some of suites.values()) {
      for (const asked of some) weights.set(asked, (mix[kind] ?? 0) / (suites.size * some.length));
    }
  }
  return weights;
}

function probabilityOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
