// Code like a piece of code: near in meaning, and with the same words.

import { scanWords } from "../../chunk/words.ts";
import type { CandidateChunk, CandidateFile, Candidates } from "../../index/scoring/candidates.ts";
import { FileFlag } from "../../index/segment/format.ts";
import { BODY, FILE, FILE_TERMS, NAMES, PRIOR } from "../../search/weights.ts";
import { findAgain, isSame, readIndexed } from "../files/current-text.ts";
import type { RelatedItem } from "../engine.ts";
import type { RelatedSight, Subject } from "./find-related-subject.ts";

/** Shares of the score. A piece of code says more by its meaning than a question of some words does. */
const BLEND = { body: 0.5, names: 0.15, file: 0.15, meaning: 0.8 } as const;
const WEIGHTS = { body: BODY, names: NAMES, file: FILE, fileTerms: FILE_TERMS, blend: BLEND };
/** Characters that the words and the vector are made of. */
const MOST_TEXT = 20_000;
/** Distinct terms of a piece that are looked up. */
const MOST_TERMS = 48;
/** Files that are looked at closely, beside those that are asked for. */
const CLOSE_LOOK = 15;
/** What is neither so near in meaning, nor has so many words of the most that another has, is not alike. */
const NEAR = 0.5;
const MANY = 0.25;
/** Shared words that are named. */
const MOST_WORDS = 3;

interface Likeness {
  readonly file: CandidateFile;
  readonly chunk: CandidateChunk;
  readonly cosine: number;
  readonly score: number;
}

/** At most `limit`, one a file, the most alike first. */
export async function similarTo(
  sight: RelatedSight,
  subject: Subject,
  limit: number,
): Promise<readonly RelatedItem[]> {
  const text = subject.lines.join("\n").slice(0, MOST_TEXT);
  const candidates = await sight.reader.candidates({
    terms: termsOf(sight, text),
    vector: sight.embedder.vectorOf(text),
    weights: WEIGHTS,
    limit: limit + CLOSE_LOOK,
    filter: ({ path, role }) => role === subject.role && !(subject.isFile && path === subject.path),
  });
  const found = await Promise.all(
    candidates.files.map((file) => likenessOf(file, candidates, subject)),
  );
  const alike = found
    .filter((one) => one !== undefined)
    .toSorted((one, other) => other.score - one.score || comparePaths(one, other));
  const words = tellingWords(sight, text, candidates);
  const items: RelatedItem[] = [];
  for (const one of alike) {
    if (items.length === limit) break;
    // oxlint-disable-next-line no-await-in-loop -- ends when there are enough
    const item = await itemOf(sight, one, words);
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** A word counts more when it comes more often, but not in proportion. */
function termsOf({ tokenizer }: RelatedSight, text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  tokenizer.terms(text, (term) => void counts.set(term, (counts.get(term) ?? 0) + 1));
  const terms = [...counts].map(([term, count]) => [term, 1 + Math.log2(count)] as const);
  return new Map(terms.toSorted(([, one], [, other]) => other - one).slice(0, MOST_TERMS));
}

/** The chunk of a file that is most alike; undefined where none is. */
async function likenessOf(
  file: CandidateFile,
  { nearest }: Candidates,
  subject: Subject,
): Promise<Likeness | undefined> {
  const scale = Math.max(NEAR, nearest);
  let best: Likeness | undefined;
  for (const chunk of await file.chunks()) {
    const { startLine, endLine } = chunk.facts;
    const isSubject =
      file.file.path === subject.path &&
      startLine <= subject.endLine &&
      endLine >= subject.startLine;
    const cosine = chunk.meaning * scale;
    if (isSubject || (cosine < NEAR && chunk.body < MANY)) continue;
    const parts =
      chunk.body * BLEND.body + chunk.names * BLEND.names + chunk.meaning * BLEND.meaning;
    const score = (parts + file.own * BLEND.file) * factorOf(file.file.flags);
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

/** Words of the subject by how rare they are in the project. */
function tellingWords(
  { tokenizer }: RelatedSight,
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

/** As it is now; undefined when the file is gone. */
async function itemOf(
  { reader, sources, tokenizer }: RelatedSight,
  { file: { file }, chunk, cosine, score }: Likeness,
  words: ReadonlyMap<string, number>,
): Promise<RelatedItem | undefined> {
  const current = readIndexed(sources, file.path);
  if (current === undefined || current.lines.length === 0) return undefined;
  const isAsIndexed = isSame(await reader.file(file.path), current);
  const place = isAsIndexed ? chunk.facts : findAgain(chunk.facts, file, current);
  const { startLine, endLine } = place;
  // One of those that differ in their ends or their case alone.
  const shared = new Map<string, string>();
  scanWords(current.lines.slice(startLine - 1, endLine).join("\n"), (word) => {
    if (words.has(word)) shared.set(tokenizer.split(word).join(" "), word);
  });
  const telling = [...shared.values()]
    .toSorted((one, other) => (words.get(other) ?? 0) - (words.get(one) ?? 0))
    .slice(0, MOST_WORDS);
  const why = [
    ...(cosine >= NEAR ? [`alike in meaning (${cosine.toFixed(2)})`] : []),
    ...(telling.length > 0 ? [`shares ${telling.join(", ")}`] : []),
  ];
  return { path: file.path, startLine, endLine, symbol: chunk.facts.symbol, why, score };
}

function comparePaths(one: Likeness, other: Likeness): number {
  return one.file.file.path < other.file.file.path ? -1 : 1;
}
