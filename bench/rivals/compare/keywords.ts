// A question as a grep user would search for it: its distinctive words, and the files with most of them.

/** Words of questions that occur everywhere. */
const COMMON = new Set(
  (
    "a an and any are as at be been before between by can do does for from get has have how if in into is it " +
    "its make more not of on only or set so than that the then there this through to use used using was what " +
    "when where which while who why will with without works"
  ).split(" "),
);
const MIN_LENGTH = 3;
/** Endings that the search cuts from a word, if enough of it remains: `scheduled` finds `scheduler`. */
const ENDINGS = /(?:ing|ed|es|s)$/;
const MIN_STEM = 4;

/** In lower case, each once. A question that has only common words is searched unchanged. */
export function keywords(query: string): readonly string[] {
  const words = query.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const telling = words
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= MIN_LENGTH && !COMMON.has(word));
  return telling.length === 0 ? [query] : [...new Set(telling.map(stemOf))];
}

function stemOf(word: string): string {
  const stem = word.replace(ENDINGS, "");
  return stem.length >= MIN_STEM ? stem : word;
}

export interface Match {
  readonly path: string;
  /** The text that matched, or its whole line. */
  readonly text: string;
}

/**
 * Files by the words they contain, rare words with more weight; by matches, then by
 * path, if that is equal.
 * The tools that find lines do not rank them, and an agent would do it like this.
 */
export function rankByWords(
  matches: readonly Match[],
  words: readonly string[],
  fileCount: number,
): readonly string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { path, text } of matches) {
    const lower = text.toLowerCase();
    const held = counts.get(path) ?? new Map<string, number>();
    for (const word of words) if (lower.includes(word)) held.set(word, (held.get(word) ?? 0) + 1);
    counts.set(path, held);
  }
  const files = [...counts];
  const weights = new Map(
    words.map((word) => {
      const holding = files.filter(([, held]) => held.has(word)).length;
      return [word, Math.log(1 + fileCount / Math.max(1, holding))] as const;
    }),
  );
  return files
    .map(([path, held]) => ({
      path,
      weight: sum([...held.keys()].map((word) => weights.get(word) ?? 0)),
      matches: sum([...held.values()]),
    }))
    .toSorted(
      (one, other) =>
        other.weight - one.weight ||
        other.matches - one.matches ||
        (one.path < other.path ? -1 : 1),
    )
    .map(({ path }) => path);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
