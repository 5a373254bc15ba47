// Ranks the files that most likely change together with the target, and its tests, by a weighted sum of the evidence.

import type { ImpactTest } from "../api/impact.ts";
import type { RelatedItem } from "../api/related.ts";
import { isTestName } from "../related/find-related-names.ts";
import { timesOf, type LikelyCandidate, type Evidence } from "./likely-evidence.ts";

/** Weights of the evidence, fitted by `bench/impact/fit.ts` as docs/impact.md describes. */
const WEIGHTS: Readonly<Record<keyof Evidence, number>> = {
  share: 2.3,
  times: 2.4,
  user: 0.6,
  test: 0.8,
  used: 1.3,
  name: 1.4,
  recent: 1.2,
  otherSide: 0.5,
};
/** Lower scores are chance. `recent` and `otherSide` do not count here, because they do not link two files. */
const MIN_SCORE = 0.4;
/** With this many shared commits, a test is included without other evidence. */
const MIN_TEST_SCORE = 2;

/** Up to `limit` files, most likely first. */
export function likelyChanges(
  candidates: readonly LikelyCandidate[],
  limit: number,
): readonly RelatedItem[] {
  return candidates
    .filter(({ evidence }) => scoreOf({ ...evidence, recent: 0, otherSide: 0 }) >= MIN_SCORE)
    .map(({ path, evidence, why }) => {
      return { path, startLine: 0, endLine: 0, symbol: "", why, score: scoreOf(evidence) };
    })
    .toSorted((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1))
    .slice(0, limit);
}

/**
 * The tests to run, sorted by all evidence, with further tests that have only evidence from the git history. Changed
 * tests stay first. Without candidates, returns `tests`.
 */
export function testsByLikelihood(
  tests: readonly ImpactTest[],
  candidates: readonly LikelyCandidate[],
): readonly ImpactTest[] {
  const byPath = new Map(candidates.map((candidate) => [candidate.path, candidate]));
  const known = new Set(tests.map(({ path }) => path));
  const further = candidates.filter(
    ({ path, role, evidence }) =>
      !known.has(path) &&
      role === "tests" &&
      isTestName(path) &&
      evidence.times >= timesOf(MIN_TEST_SCORE),
  );
  const points = ({ path }: ImpactTest): number => {
    const candidate = byPath.get(path);
    return candidate === undefined ? Number.POSITIVE_INFINITY : scoreOf(candidate.evidence);
  };
  const all = [
    ...tests,
    ...further.map(({ path, why, evidence }) => ({ path, why, score: evidence.share })),
  ];
  // The stable sort keeps the order of equal tests, including all that are not candidates.
  return all
    .map((test) => ({ test, points: points(test) }))
    .toSorted((one, other) => (one.points === other.points ? 0 : other.points - one.points))
    .map(({ test }) => test);
}

function scoreOf(evidence: Evidence): number {
  return (
    WEIGHTS.share * evidence.share +
    WEIGHTS.times * evidence.times +
    WEIGHTS.user * evidence.user +
    WEIGHTS.test * evidence.test +
    WEIGHTS.used * evidence.used +
    WEIGHTS.name * evidence.name +
    WEIGHTS.recent * evidence.recent +
    WEIGHTS.otherSide * evidence.otherSide
  );
}
