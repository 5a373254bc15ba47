// Measures how similar two texts are.

/** Texts with fewer words are the same only if all their words are. */
const MIN_WORDS = 12;
/** A text with less than this share of the other's length is not a copy of it. */
const MIN_LENGTH_RATIO = 0.5;
/** A file with this many times the lines of another one may be an amalgamation that contains it. */
const AMALGAMATION_RATIO = 3;
const MIN_AMALGAMATED_LINES = 20;

/** Share of the pairs of neighbouring words of the shorter text that the other one has too, 0 to 1. Signs do not count. */
export function textSimilarity(one: string, other: string): number {
  const words = wordsIn(one);
  const others = wordsIn(other);
  const [short, long] = words.length <= others.length ? [words, others] : [others, words];
  if (short.length < MIN_WORDS) return Number(short.join(" ") === long.join(" "));
  if (short.length < long.length * MIN_LENGTH_RATIO) return 0;
  const pairs = pairsOf(long);
  const own = [...pairsOf(short)];
  return own.filter((pair) => pairs.has(pair)).length / own.length;
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function pairsOf(words: readonly string[]): Set<string> {
  const pairs = new Set<string>();
  for (let at = 1; at < words.length; at += 1) pairs.add(`${words[at - 1]} ${words[at]}`);
  return pairs;
}

/** How the lines of two files are related. */
export interface LinesInCommon {
  /** Share of all distinct lines of both that both have, 0 to 1. Blank lines and indentation do not count. */
  readonly shared: number;
  /** The share of the lines of the much shorter file that the longer one has; 0 if neither is much shorter. */
  readonly amalgamated: number;
}

/** Compares the lines of two files. */
export function linesInCommon(one: readonly string[], other: readonly string[]): LinesInCommon {
  const lines = distinctLines(one);
  const others = distinctLines(other);
  const [short, long] = lines.size <= others.size ? [lines, others] : [others, lines];
  let common = 0;
  for (const line of short) if (long.has(line)) common += 1;
  const total = short.size + long.size - common;
  const isMuchShorter =
    short.size >= MIN_AMALGAMATED_LINES && short.size * AMALGAMATION_RATIO <= long.size;
  return {
    shared: total === 0 ? 0 : common / total,
    amalgamated: isMuchShorter ? common / short.size : 0,
  };
}

function distinctLines(lines: readonly string[]): Set<string> {
  return new Set(lines.map((line) => line.trim()).filter((line) => line !== ""));
}
