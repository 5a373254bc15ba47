// The words that get a row of the table.
import type { WordCount } from "./corpus.ts";

/** The words that have a row, by row. */
export interface TrainedVocabulary {
  readonly words: readonly string[];
  /** The share of each word in the occurrences of all words with a row. */
  readonly probabilities: Float64Array;
}

/** For a rarer word, its pieces are better than a row with hardly any training. */
const MIN_OCCURRENCES = 4;
const MIN_FILES = 2;
/** Longer words are hashes, encodings and sentences without blanks. */
const MAX_WORD_LENGTH = 24;

/** Up to `limit` words: first those used by the most packages, then by the most files. */
export function chooseVocabulary(counts: readonly WordCount[], limit: number): TrainedVocabulary {
  const chosen = counts
    .filter(
      ({ word, occurrences, files }) =>
        occurrences >= MIN_OCCURRENCES && files >= MIN_FILES && word.length <= MAX_WORD_LENGTH,
    )
    .toSorted(byReach)
    .slice(0, limit);
  const total = chosen.reduce((sum, { occurrences }) => sum + occurrences, 0);
  return {
    words: chosen.map(({ word }) => word),
    probabilities: Float64Array.from(chosen, ({ occurrences }) => occurrences / total),
  };
}

function byReach(one: WordCount, other: WordCount): number {
  return (
    other.packages - one.packages ||
    other.files - one.files ||
    other.occurrences - one.occurrences ||
    (one.word < other.word ? -1 : 1)
  );
}
