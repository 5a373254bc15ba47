// Fits the weight of each piece of evidence, from files with known outcomes: the weights that maximise the
// likelihood that a changed file is drawn first (ListNet with one drawn file; Cao and others,
// "Learning to Rank: From Pairwise Approach to Listwise Approach", 2007). No weight is negative, and a
// penalty keeps them small.

/** The candidates of one question. */
export interface Question {
  /** The evidence of each file, always in the same order. */
  readonly files: readonly { readonly evidence: readonly number[]; readonly isWanted: boolean }[];
}

/** The penalty on the square of a weight. */
const PENALTY = 0.01;
const STEPS = 1500;
const STEP = 0.3;

/** One weight for each piece of evidence, 0 or more. Queries without a wanted file do not count. */
export function fitWeights(questions: readonly Question[], count: number): readonly number[] {
  const telling = questions.filter(({ files }) => files.some(({ isWanted }) => isWanted));
  let weights = Array.from({ length: count }, () => 1);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = weights.map((weight) => -2 * PENALTY * weight);
    for (const { files } of telling) {
      const wanted = files.filter(({ isWanted }) => isWanted).length;
      const points = files.map(({ evidence }) => pointsOf(evidence, weights));
      const most = Math.max(...points);
      const chances = points.map((value) => Math.exp(value - most));
      const sum = chances.reduce((all, one) => all + one, 0);
      for (const [at, { evidence, isWanted }] of files.entries()) {
        const missing = (isWanted ? 1 / wanted : 0) - (chances[at] ?? 0) / sum;
        for (const [kind, value] of evidence.entries()) {
          gradient[kind] = (gradient[kind] ?? 0) + (missing * value) / telling.length;
        }
      }
    }
    weights = weights.map((weight, kind) => Math.max(0, weight + STEP * (gradient[kind] ?? 0)));
  }
  return weights;
}

function pointsOf(evidence: readonly number[], weights: readonly number[]): number {
  return evidence.reduce((sum, value, kind) => sum + value * (weights[kind] ?? 0), 0);
}
