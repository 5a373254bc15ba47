// Orders the answers to a question with intent: documentation, with the code that it describes next to it. For a
// question about tests, tests take the place of documentation.

import type { FileFacts } from "../index/types.ts";
import { subjectWords } from "./intent.ts";
import type { WordMatches } from "./word-matches.ts";

/** Returns the share of the words of a query's subject that a passage has, 0 to 1. */
export function subjectShare({ words, inNames, inText, inPath }: WordMatches): number {
  const subject = subjectWords(words);
  const found = new Set([...inNames, ...inText, ...inPath]);
  return subject.filter((word) => found.has(word)).length / Math.max(1, subject.length);
}

/** If another file has more than this share of the subject's words, a document without any of them is not an answer. */
const MIN_RIVAL = 0.6;

/**
 * Returns whether a file of the wanted kind should come before others. A file with the verb of the question but no word
 * of its subject should not, if another file is about the subject.
 */
export function isFirst(share: number, rivalShare: number): boolean {
  return share > 0 || rivalShare < MIN_RIVAL;
}

interface ScoredFile {
  readonly file: Pick<FileFacts, "role">;
  readonly score: number;
  /** Amount that was added to the file's own score for its place. */
  readonly lift?: number;
}

/**
 * Alternates documentation with everything else, documentation first, each in its order. `files` must be sorted by
 * score, descending. So is the result, because a file gets at least the score of the next one. `perTurn`: number of
 * documentation files for each other file.
 */
export function withDocsFirst<File extends ScoredFile>(
  files: readonly File[],
  isAnswer: (file: File) => boolean = ({ file: { role } }) => role === "docs",
  perTurn = 1,
): readonly File[] {
  const docs = files.filter(isAnswer);
  const rest = files.filter((file) => !isAnswer(file));
  const inTurn = files
    .flatMap((_, at) => [...docs.slice(at * perTurn, (at + 1) * perTurn), rest[at]])
    .filter((one) => one !== undefined);
  let least = -Infinity;
  return inTurn
    .toReversed()
    .map((file) => {
      least = Math.max(least, file.score);
      return { ...file, score: least, lift: least - file.score };
    })
    .toReversed();
}
