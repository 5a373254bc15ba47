import { distanceWithin } from "./edit-distance.ts";

/**
 * Returns the candidate closest to `word`, for "did you mean". The measure is the optimal string alignment
 * distance, where a swap of adjacent characters costs one. Undefined when no candidate is close enough to be a
 * likely typo.
 */
export function closestWord(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const offered = candidate.toLowerCase();
    // A prefix of a candidate (`--max-tok`) counts as one typo.
    const isPrefix = wanted.length >= 3 && offered.startsWith(wanted);
    const distance = isPrefix ? 1 : distanceWithin(wanted, offered, allowed);
    if (distance !== undefined && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
