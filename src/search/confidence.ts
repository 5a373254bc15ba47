// How sure svc is of an answer and of each result: logistic models over a few signals. docs/ranking.md has their figures,
// and `scripts/ranking/fit-confidence.ts` computes the weights.

import { CONFIDENCE_FEATURES, confidenceFeatures } from "./confidence-signals.ts";
import weights from "./confidence-weights.json" with { type: "json" };
import { scoreFeatures, weightsInOrder } from "./ranking-model.ts";

const ANSWER = weightsInOrder(weights.answer, CONFIDENCE_FEATURES);
const WITHOUT_VECTORS = weightsInOrder(weights.answerWithoutVectors, CONFIDENCE_FEATURES);
/** Least confidence in an answer that begins with the definition of the name that was asked for. */
const MIN_OF_DEFINED = 0.5;
/** And in one that begins with a passage that contains the query word for word. */
const MIN_OF_QUOTED = 0.8;
/** Number of results that are compared with each other. */
export const FIRST_RESULTS = 10;

/** How sure an answer and its results are. */
export interface Confidence {
  /** Probability that one of the first ten files is right, 0 to 1. */
  readonly value: number;
  /** True if there is probably no good match. */
  readonly isWeak: boolean;
  /** True if another way to search may well find more; also true for weak answers. */
  readonly isUnsure: boolean;
  /** Returns the probability that a result with this score is right, 0 to 1. A larger score never has a smaller one. */
  readonly ofResult: (score: number) => number;
  /** The same confidence for other results, such as those without their copies. `scores`: best first. */
  readonly withScores: (scores: readonly number[]) => Confidence;
}

/** Facts that the signals do not show. */
interface Evidence {
  /** False if only words were compared. */
  readonly hasVectors: boolean;
  /** Whether the index defines the name that the query is. */
  readonly isDefined: boolean;
  /** Whether a file contains the query word for word. */
  readonly isQuoted?: boolean;
  /** Whether one chunk contains all words of the query. */
  readonly isCovered: boolean;
}

/** Computes it from `confidenceSignals` and from the scores of the results, best first. */
export function confidenceOf(
  signals: readonly number[],
  scores: readonly number[],
  { hasVectors, isDefined, isQuoted = false, isCovered }: Evidence,
): Confidence {
  const { intercept } = hasVectors ? weights.answer : weights.answerWithoutVectors;
  const features = confidenceFeatures(signals);
  const sum = intercept + scoreFeatures(features, hasVectors ? ANSWER : WITHOUT_VECTORS);
  const value = Math.max(
    probabilityOf(sum),
    isDefined ? MIN_OF_DEFINED : 0,
    isQuoted ? MIN_OF_QUOTED : 0,
    isCovered ? weights.unsure : 0,
  );
  const { result } = weights;
  const withScores = (of: readonly number[]): Confidence => {
    const [top = 0] = of;
    const ofAll = result.intercept + result.answer * logitOf(value) + result.crowd * crowdOf(of);
    return {
      value,
      isWeak: value < weights.noGoodMatch,
      isUnsure: value < weights.unsure,
      // A result is at most as likely to be right as the whole answer.
      ofResult: (score) => Math.min(value, probabilityOf(ofAll + result.gap * (top - score))),
      withScores,
    };
  };
  return withScores(scores);
}

/** Returns how many results are about as good as the best, as a logarithm: 0 if it is far ahead. `scores`: best first. */
export function crowdOf(scores: readonly number[]): number {
  const [top = 0] = scores;
  const some = scores.slice(0, FIRST_RESULTS);
  return Math.log(
    Math.max(
      1,
      some.reduce((sum, score) => sum + Math.exp(score - top), 0),
    ),
  );
}

function probabilityOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

function logitOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}

/** Rounds a probability to two digits, as answers show it. */
export function toHundredths(probability: number): number {
  return Math.round(probability * 100) / 100;
}
