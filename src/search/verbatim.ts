// Messages that a program printed: a passage that contains such a message word for word is the answer.

import type { CandidateChunk } from "../index/scoring/candidates.ts";
import type { FileFacts } from "../index/types.ts";
import type { NeighbourSource } from "./neighbours.ts";
import { wordsOnly } from "./quoted-phrases.ts";
import type { WordMatches } from "./word-matches.ts";

/** Maximum passages whose texts are compared. */
const MAX_COMPARED = 24;
/** Documentation also contains phrases that people use in queries, so a message there must have more words. */
const MIN_WORDS_IN_PAGE = 7;
/** Templates of issues and other files of tools quote what people say. */
const TOOL_FOLDER = /(?:^|\/)\.[^/]+\//;

interface ScoredChunk {
  readonly chunk: CandidateChunk;
  readonly score: number;
}

interface ScoredFile<Chunk extends ScoredChunk> {
  readonly file: FileFacts;
  readonly score: number;
  readonly chunks: readonly Chunk[];
  readonly all: readonly CandidateChunk[];
  /** Amount that was added to its score because it contains the query. */
  readonly verbatim?: number;
}

interface Compared<File> {
  readonly phrases: readonly string[];
  readonly textsOf: NeighbourSource["textsOf"] | undefined;
  readonly matchesOf: (file: File, chunk: CandidateChunk) => WordMatches;
}

/** Puts the files first that contain one of the phrases, with the passage that does. `files` must be sorted by score, descending. */
export async function withVerbatimFirst<Chunk extends ScoredChunk, File extends ScoredFile<Chunk>>(
  files: readonly File[],
  { phrases, textsOf, matchesOf }: Compared<File>,
): Promise<readonly File[]> {
  if (phrases.length === 0 || textsOf === undefined) return files;
  const inPages = phrases.filter((phrase) => phrase.split(" ").length >= MIN_WORDS_IN_PAGE);
  const phrasesIn = ({ file }: File): readonly string[] =>
    file.role === "docs" ? inPages : phrases;
  const possible = files
    .filter(({ file }) => !TOOL_FOLDER.test(file.path))
    .flatMap((file) =>
      file.all
        .filter((chunk) => containsWords(matchesOf(file, chunk), phrasesIn(file)))
        .map((chunk) => ({ file, chunk })),
    )
    .toSorted((one, other) => other.chunk.body - one.chunk.body)
    .slice(0, MAX_COMPARED);
  const texts = await textsOf(
    possible.map(({ file, chunk }) => ({ file: file.file, chunk: chunk.facts })),
  );
  const found = new Map<File, CandidateChunk>();
  for (const [at, { file, chunk }] of possible.entries()) {
    const text = ` ${wordsOnly(texts[at] ?? "")} `;
    const isQuoted = phrasesIn(file).some((phrase) => text.includes(` ${phrase} `));
    if (isQuoted && !found.has(file)) found.set(file, chunk);
  }
  if (found.size === 0) return files;
  const top = files[0]?.score ?? 0;
  const quoting = files.flatMap((file) => {
    const chunk = found.get(file);
    if (chunk === undefined) return [];
    const chunks = chunkFirst(file.chunks, chunk);
    return [{ ...file, score: top, verbatim: top - file.score, chunks }];
  });
  return [...quoting, ...files.filter((file) => !found.has(file))];
}

/** Whether the text contains all terms of the query that a phrase has. */
function containsWords({ words, inText }: WordMatches, phrases: readonly string[]): boolean {
  const missing = words.filter((word) => !inText.includes(word)).map(wordsOnly);
  return phrases.some((phrase) => missing.every((word) => !` ${phrase} `.includes(` ${word} `)));
}

/** The chunk gets the score of the best chunk. */
function chunkFirst<Chunk extends ScoredChunk>(
  chunks: readonly Chunk[],
  chunk: CandidateChunk,
): readonly Chunk[] {
  const [best] = chunks;
  if (best === undefined || best.chunk === chunk) return chunks;
  return [{ ...best, chunk }, ...chunks.filter((one) => one.chunk !== chunk)];
}
