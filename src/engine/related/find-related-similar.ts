// Finds similar code, by vectors and shared terms.

import { scanWords } from "../../parse/tokenizer.ts";
import type { CandidateChunk, CandidateFile, Candidates } from "../../index/scoring/candidates.ts";
import { FileFlag } from "../../index/types.ts";
import { BODY_BM25, FILE_BM25, FILE_TERM_COUNTS, NAMES_BM25, PRIOR } from "../../search/weights.ts";
import { relocateChunk, textIfReadable } from "../files/current-file.ts";
import type { RelatedItem } from "../api/related.ts";
import type { RelatedContext, Subject } from "./find-related-subject.ts";

/** Weights of the score. The vector of a piece of code is stronger evidence than that of a short query. */
const SIMILAR_BLEND = { body: 0.5, names: 0.15, file: 0.15, similarity: 0.8 } as const;
const SIMILAR_WEIGHTS = {
  body: BODY_BM25,
  names: NAMES_BM25,
  file: FILE_BM25,
  fileTerms: FILE_TERM_COUNTS,
  blend: SIMILAR_BLEND,
};
/** Maximum characters of the subject used for terms and vector. */
const MAX_TEXT_CHARS = 20_000;
/** Maximum distinct terms looked up. */
const MAX_TERMS = 48;
/** Files scored chunk by chunk, in addition to `limit`. */
const RERANK_DEPTH = 15;
/** A chunk is similar when its cosine is at least this, or its term score at least this share of the best. */
const MIN_SIMILARITY = 0.5;
const MANY_CHUNKS_SHARE = 0.25;
/** Maximum shared words in `why`. */
const MAX_WORDS = 3;

interface SimilarChunk {
  readonly file: CandidateFile;
  readonly chunk: CandidateChunk;
  readonly cosine: number;
  readonly score: number;
}

/** Up to `limit` chunks, one per file, the most similar first. */
export async function similarTo(
  context: RelatedContext,
  subject: Subject,
  limit: number,
): Promise<readonly RelatedItem[]> {
  const text = subject.lines.join("\n").slice(0, MAX_TEXT_CHARS);
  const candidates = await context.reader.candidates({
    terms: termsOf(context, text),
    vector: context.embedder.embed(text),
    weights: SIMILAR_WEIGHTS,
    limit: limit + RERANK_DEPTH,
    filter: ({ path, role }) => role === subject.role && !(subject.isFile && path === subject.path),
  });
  const found = await Promise.all(
    candidates.files.map((file) => similarChunkOf(file, candidates, subject)),
  );
  const alike = found
    .filter((one) => one !== undefined)
    .toSorted((one, other) => other.score - one.score || comparePaths(one, other));
  const words = distinctiveWords(context, text, candidates);
  const items: RelatedItem[] = [];
  for (const one of alike) {
    if (items.length === limit) break;
    // oxlint-disable-next-line no-await-in-loop -- ends when there are enough
    const item = await itemOf(context, one, words);
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** Terms with their weights, which grow with the logarithm of the frequency. */
function termsOf({ tokenizer }: RelatedContext, text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  tokenizer.terms(text, (term) => void counts.set(term, (counts.get(term) ?? 0) + 1));
  const terms = [...counts].map(([term, count]) => [term, 1 + Math.log2(count)] as const);
  return new Map(terms.toSorted(([, one], [, other]) => other - one).slice(0, MAX_TERMS));
}

/** The most similar chunk of a file; undefined when none is similar. */
async function similarChunkOf(
  file: CandidateFile,
  { maxSimilarity }: Candidates,
  subject: Subject,
): Promise<SimilarChunk | undefined> {
  const scale = Math.max(MIN_SIMILARITY, maxSimilarity);
  let best: SimilarChunk | undefined;
  for (const chunk of await file.chunks()) {
    const { startLine, endLine } = chunk.facts;
    const isSubject =
      file.file.path === subject.path &&
      startLine <= subject.endLine &&
      endLine >= subject.startLine;
    const cosine = chunk.similarity * scale;
    if (isSubject || (cosine < MIN_SIMILARITY && chunk.body < MANY_CHUNKS_SHARE)) continue;
    const parts =
      chunk.body * SIMILAR_BLEND.body +
      chunk.names * SIMILAR_BLEND.names +
      chunk.similarity * SIMILAR_BLEND.similarity;
    const score = (parts + file.fileScore * SIMILAR_BLEND.file) * factorOf(file.file.flags);
    if (best === undefined || score > best.score) best = { file, chunk, cosine, score };
  }
  return best;
}

function factorOf(flags: number): number {
  let factor = 1;
  if ((flags & FileFlag.generated) !== 0) factor *= PRIOR.generated;
  if ((flags & FileFlag.vendored) !== 0) factor *= PRIOR.vendored;
  if ((flags & FileFlag.example) !== 0) factor *= PRIOR.example;
  return factor;
}

/** Words of the subject with their weights: rare words in the project weigh more. */
function distinctiveWords(
  { tokenizer }: RelatedContext,
  text: string,
  { terms }: Candidates,
): ReadonlyMap<string, number> {
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const words = new Map<string, number>();
  scanWords(text, (word) => {
    if (word.length < 4 || words.has(word)) return;
    const parts = tokenizer.split(word).map((term) => weights.get(term) ?? 0);
    words.set(word, Math.max(0, ...parts));
  });
  return words;
}

/** The item, from the current text; undefined when the file no longer exists. */
async function itemOf(
  { reader, texts, tokenizer }: RelatedContext,
  { file: { file }, chunk, cosine, score }: SimilarChunk,
  words: ReadonlyMap<string, number>,
): Promise<RelatedItem | undefined> {
  const known = await reader.file(file.path);
  const current = await textIfReadable(texts, file.path, known);
  if (current === undefined || current.lines.length === 0) return undefined;
  const isAsIndexed = known !== undefined && !current.isChanged;
  const place = isAsIndexed ? chunk.facts : await relocateChunk(chunk.facts, file, current);
  const { startLine, endLine } = place;
  // Of words that differ only in ending or case, keep one.
  const shared = new Map<string, string>();
  scanWords(current.lines.slice(startLine - 1, endLine).join("\n"), (word) => {
    if (words.has(word)) shared.set(tokenizer.split(word).join(" "), word);
  });
  const distinctive = [...shared.values()]
    .toSorted((one, other) => (words.get(other) ?? 0) - (words.get(one) ?? 0))
    .slice(0, MAX_WORDS);
  const why = [
    ...(cosine >= MIN_SIMILARITY ? [`similarity ${cosine.toFixed(2)}`] : []),
    ...(distinctive.length > 0 ? [`shares ${distinctive.join(", ")}`] : []),
  ];
  return { path: file.path, startLine, endLine, symbol: chunk.facts.symbol, why, score };
}

function comparePaths(one: SimilarChunk, other: SimilarChunk): number {
  return one.file.file.path < other.file.file.path ? -1 : 1;
}
