// Words of a question that stand nowhere and are likely slips of a typist: read as what was likely meant.
import type { Tokenizer } from "../parse/tokenizer.ts";
import type { IndexReader } from "../index/port.ts";
import { MIN_LONG_QUERY_CHARS } from "./parse-query.ts";

/** A word of a question, and what it was read as. */
export interface Correction {
  readonly from: string;
  readonly to: string;
}

export interface Lexicon {
  readonly tokenizer: Tokenizer;
  readonly termCounts: IndexReader["termCounts"];
  /** As in an embedding table. */
  readonly logProbability: (word: string) => number | undefined;
}

interface CorrectedText {
  readonly text: string;
  readonly corrections: readonly Correction[];
}

/** Words, and the parts of names: shorter ones have too many neighbours. Letters of other scripts end none. */
const WORD = /(?<![\u0080-\uffff])[A-Za-z][a-z]{3,23}(?![a-z\u0080-\uffff])/g;
/** More words that nobody knows are no slips. */
const MAX_UNKNOWN_WORDS = 4;
/** Words of programs that are as common as this are meant as they stand. */
const MIN_COMMON_LOG_PROBABILITY = -11;
/** What is read instead of a word that programs use is so much commoner (e to the power of it). */
const MIN_COMMONER_BY = 4;
/**
 * A shorter word is as likely a name of something else (`nvim`, `jest`), unless two of its letters are swapped; one
 * of five letters may be a slip for a word that all programs use (`ervor`).
 */
const MIN_LONG_WORD_LENGTH = 6;
const MIN_VERY_COMMON_LOG_PROBABILITY = -9.5;
/**
 * How much likelier it is that letters were swapped, or one left out or typed twice, than that one certain
 * other was typed: the former are some ten places in a word, the latter some ten times 25 letters.
 */
const LIKELY_TYPO_PRIOR = 1.5;
/** And how much likelier a word is meant that programs use than one that only has an ending of such (`handleing`). */
const KNOWN_WORD_PRIOR = 2;

/**
 * Reads a word that stands nowhere in the index, and that programs seldom use, as the commonest word of the index
 * that is one slip away: by the edits of Damerau (1964), to whom four of five slips were single ones, as Norvig
 * tries them out. The first letter is believed. Looks at short questions alone: others are pasted.
 */
export async function correctTypos(text: string, lexicon: Lexicon): Promise<CorrectedText> {
  const unknown = text.length > MIN_LONG_QUERY_CHARS ? [] : await unknownWords(text, lexicon);
  if (unknown.length === 0 || unknown.length > MAX_UNKNOWN_WORDS) return { text, corrections: [] };
  const corrected = new Map<string, string>();
  for (const word of unknown) {
    const other = await bestCorrection(word, lexicon);
    if (other !== undefined) corrected.set(word, other);
  }
  return {
    text: text.replaceAll(WORD, (word) => corrected.get(word) ?? word),
    corrections: Array.from(corrected, ([from, to]) => ({ from, to })),
  };
}

/** Distinct words that stand nowhere, in the order of the question. */
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

interface Candidate extends Edit {
  readonly known: number | undefined;
  readonly term: string;
}

function isPlausible(
  { typo, edited, term, known }: Candidate,
  { word, own }: { readonly word: string; readonly own: number | undefined },
): boolean {
  if (typo === "swap")
    return own === undefined || (known !== undefined && known >= own + MIN_COMMONER_BY);
  // With another letter before its ending anything may become a word.
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
  readonly typo: "swap" | "left out or twice" | "other";
}

const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz");

/** The words that are one slip away from this one, with the same first letter: some fifty for each of its letters. */
function editsOf(word: string): readonly Edit[] {
  const edits: Edit[] = [];
  for (let at = 1; at <= word.length; at += 1) {
    const [before, letter, next] = [word.slice(0, at), word[at] ?? "", word[at + 1] ?? ""];
    const add = (typo: Edit["typo"], edited: string): void => void edits.push({ edited, typo });
    for (const other of LETTERS) add("left out or twice", before + other + word.slice(at));
    if (letter === "") continue;
    const after = word.slice(at + 1);
    for (const other of LETTERS) if (other !== letter) add("other", before + other + after);
    add(letter === word[at - 1] ? "left out or twice" : "other", before + after);
    if (next !== "") add("swap", before + next + letter + word.slice(at + 2));
  }
  return edits;
}
