// Corrects words of a query that the index does not contain and that are probably typos.
import type { Tokenizer } from "../parse/tokenizer.ts";
import type { IndexReader } from "../index/port.ts";
import { MIN_LONG_QUERY_CHARS } from "./parse-query.ts";

/** A word of a query, and the word searched instead. */
export interface Correction {
  readonly from: string;
  readonly to: string;
}

/** What the correction needs to know of words. */
export interface Lexicon {
  readonly tokenizer: Tokenizer;
  /** Returns the number of chunks that contain each term. */
  readonly termCounts: IndexReader["termCounts"];
  /** As `EmbeddingTable.logProbability`. */
  readonly logProbability: (word: string) => number | undefined;
}

interface CorrectedText {
  readonly text: string;
  readonly corrections: readonly Correction[];
}

/** Words, and parts of names. Shorter ones have too many neighbours. A letter of another script never ends a word. */
const WORD = /(?<![\u0080-\uffff])[A-Za-z][a-z]{3,23}(?![a-z\u0080-\uffff])/g;
/** If more words are unknown, they are not typos. */
const MAX_UNKNOWN_WORDS = 4;
/** Words that are at least this common in programs are never corrected. */
const MIN_COMMON_LOG_PROBABILITY = -11;
/** A correction of a word that occurs in programs must be more common by this log probability. */
const MIN_COMMONER_BY = 4;
/**
 * A shorter word is as likely another name (`nvim`, `jest`), unless two of its letters are swapped. A word of five
 * letters may be a typo of a word that all programs use (`ervor`).
 */
const MIN_LONG_WORD_LENGTH = 6;
const MIN_VERY_COMMON_LOG_PROBABILITY = -9.5;
/**
 * Log prior of swapped, missing or doubled letters over any one other letter typed: there are some ten places in a
 * word for the former, and some ten times 25 letters for the latter.
 */
const LIKELY_TYPO_PRIOR = 1.5;
/** Letters of each part of a word that lacks a space. */
const MIN_SPLIT_LENGTH = 3;
/** Log prior of a word that programs use over one that merely ends like such a word (`handleing`). */
const KNOWN_WORD_PRIOR = 2;

/**
 * Replaces a word that the index does not contain, and that is rare in programs, with the most common indexed word
 * one typo away. The edits are those of Damerau (1964), who found that four of five typos are single ones; the
 * search follows Norvig. The first letter is assumed correct. Only short queries are corrected: long ones are
 * pasted. Returns the text unchanged when there is nothing to correct.
 */
export async function correctTypos(text: string, lexicon: Lexicon): Promise<CorrectedText> {
  const unknown = text.length > MIN_LONG_QUERY_CHARS ? [] : await unknownWords(text, lexicon);
  if (unknown.length === 0 || unknown.length > MAX_UNKNOWN_WORDS) return { text, corrections: [] };
  const corrected = new Map<string, string>();
  for (const word of unknown) {
    const other = (await bestCorrection(word, lexicon)) ?? (await bestSplit(word, lexicon));
    if (other !== undefined) corrected.set(word, other);
  }
  return {
    text: text.replaceAll(WORD, (word) => corrected.get(word) ?? word),
    corrections: Array.from(corrected, ([from, to]) => ({ from, to })),
  };
}

/** Returns the distinct words that the index does not contain, in the order of the query. */
async function unknownWords(text: string, lexicon: Lexicon): Promise<readonly string[]> {
  const rare = [...new Set(text.match(WORD))].filter(
    (word) =>
      (lexicon.logProbability(word.toLowerCase()) ?? -Infinity) < MIN_COMMON_LOG_PROBABILITY,
  );
  const counts = await lexicon.termCounts(rare.map((word) => termOf(word, lexicon)));
  return rare.filter((_word, at) => counts[at] === 0);
}

function termOf(word: string, { tokenizer }: Lexicon): string {
  return tokenizer.split(word)[0] ?? "";
}

async function bestCorrection(word: string, lexicon: Lexicon): Promise<string | undefined> {
  const own = lexicon.logProbability(word.toLowerCase());
  const candidates = editsOf(word)
    .map((edit) => {
      const known = lexicon.logProbability(edit.edited.toLowerCase());
      return { ...edit, known, term: termOf(edit.edited, lexicon) };
    })
    .filter((candidate) => isPlausible(candidate, { word, own }));
  const counts = await lexicon.termCounts(candidates.map(({ term }) => term));
  let best: string | undefined;
  let bestScore = -Infinity;
  for (const [at, { edited, typo, known }] of candidates.entries()) {
    const prior =
      (typo === "other" ? 0 : LIKELY_TYPO_PRIOR) + (known === undefined ? 0 : KNOWN_WORD_PRIOR);
    const score = Math.log(counts[at] ?? 0) + prior;
    if (score > bestScore) [best, bestScore] = [edited, score];
  }
  return best;
}

/** A word without its space (`parseflags`): two words of the index that programs use, the likeliest pair. */
async function bestSplit(word: string, lexicon: Lexicon): Promise<string | undefined> {
  const lower = word.toLowerCase();
  if (lexicon.logProbability(lower) !== undefined) return undefined;
  const pairs = Array.from({ length: word.length }, (_, at) => at)
    .filter((at) => at >= MIN_SPLIT_LENGTH && at <= word.length - MIN_SPLIT_LENGTH)
    .map((at) => [lower.slice(0, at), lower.slice(at)] as const)
    .map(([one, other]) => ({
      text: `${word.slice(0, one.length)} ${other}`,
      terms: [termOf(one, lexicon), termOf(other, lexicon)],
      score:
        (lexicon.logProbability(one) ?? -Infinity) + (lexicon.logProbability(other) ?? -Infinity),
    }))
    .filter(({ score }) => score > -Infinity)
    .toSorted((one, other) => other.score - one.score);
  const counts = await lexicon.termCounts(pairs.flatMap(({ terms }) => terms));
  return pairs.find((_pair, at) => (counts[2 * at] ?? 0) > 0 && (counts[2 * at + 1] ?? 0) > 0)
    ?.text;
}

interface Candidate extends Edit {
  readonly known: number | undefined;
  readonly term: string;
}

function isPlausible(
  { typo, edited, term, known }: Candidate,
  { word, own }: { readonly word: string; readonly own: number | undefined },
): boolean {
  if (typo === "transposition")
    return own === undefined || (known !== undefined && known >= own + MIN_COMMONER_BY);
  // If the letter before the ending could also change, almost any string would become a word.
  const isWord = known !== undefined || term === edited.toLowerCase();
  if (own !== undefined || !isWord) return false;
  return (
    word.length >= MIN_LONG_WORD_LENGTH ||
    (word.length === MIN_LONG_WORD_LENGTH - 1 &&
      (known ?? -Infinity) >= MIN_VERY_COMMON_LOG_PROBABILITY)
  );
}

interface Edit {
  readonly edited: string;
  readonly typo: "transposition" | "missing or doubled" | "other";
}

const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz");

/** Returns all strings one typo away that keep the first letter: some fifty per letter of the word. */
function editsOf(word: string): readonly Edit[] {
  const edits: Edit[] = [];
  for (let at = 1; at <= word.length; at += 1) {
    const [before, letter, next] = [word.slice(0, at), word[at] ?? "", word[at + 1] ?? ""];
    const add = (typo: Edit["typo"], edited: string): void => void edits.push({ edited, typo });
    for (const other of LETTERS) add("missing or doubled", before + other + word.slice(at));
    if (letter === "") continue;
    const after = word.slice(at + 1);
    for (const other of LETTERS) if (other !== letter) add("other", before + other + after);
    add(letter === word[at - 1] ? "missing or doubled" : "other", before + after);
    if (next !== "") add("transposition", before + next + letter + word.slice(at + 2));
  }
  return edits;
}
