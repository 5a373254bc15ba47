// The order of answers to a question of intent: documentation, with the code that it talks about next to it.

import type { FileFacts } from "../index/types.ts";

interface ScoredFile {
  readonly file: Pick<FileFacts, "role">;
  readonly score: number;
  /** How much its score is above its own, for its place. */
  readonly lift?: number;
}

/**
 * Lets documentation and everything else take turns, documentation first, each in its order. `files` must be sorted by
 * score, descending; so is the result, since a file gets at least the score of the next one.
 */
export function withDocsFirst<File extends ScoredFile>(
  files: readonly File[],
  isAnswer: (file: File) => boolean = ({ file: { role } }) => role === "docs",
): readonly File[] {
  const docs = files.filter(isAnswer);
  const rest = files.filter((file) => !isAnswer(file));
  const inTurn = files.flatMap((_, at) => [docs[at], rest[at]]).filter((one) => one !== undefined);
  let least = -Infinity;
  return inTurn
    .toReversed()
    .map((file) => {
      least = Math.max(least, file.score);
      return { ...file, score: least, lift: least - file.score };
    })
    .toReversed();
}
