import { distanceWithin } from "./edit-distance.ts";

/**
 * The candidate most like `word`, for "did you mean": by optimal string alignment distance, where a
 * swap of neighbours costs one. Undefined when nothing is near enough to be a likely slip.
 */
export function closestWord(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const offered = candidate.toLowerCase();
    // A word that was only begun (`--max-tok`) is as good as one slip.
    const isBegun = wanted.length >= 3 && offered.startsWith(wanted);
    const distance = isBegun ? 1 : distanceWithin(wanted, offered, allowed);
    if (distance !== undefined && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
