// A score as a number from 0 to 100.

/** The score at which the best result is the right one in half of the questions. */
const EVEN_SCORE = 10;
/** How much the logarithm of the odds grows with a score. */
const SLOPE = 0.9;

/**
 * Returns how likely the best result of a question is the right one if it has this score, in percent: a logistic curve
 * through the results of 131 questions (docs/ranking.md). A larger score never has a smaller relevance.
 */
export function relevanceOf(score: number): number {
  return Math.round(100 / (1 + Math.exp(-SLOPE * (score - EVEN_SCORE))));
}
