// Ranks the files of an index for a question: BM25 ingredients from the index, then a close look at the
// best of them.

import type { IndexReader } from "../index/backend.ts";
import { FileFlag } from "../index/format.ts";
import type { LexicalChunk, LexicalHit } from "../index/lexical.ts";
import type { ChunkFacts } from "../index/outline.ts";
import type { FileFacts } from "../index/segment-reader.ts";
import type { Query } from "./parse-query.ts";
import {
  BLEND,
  BODY,
  BONUS,
  CLOSE_LOOK,
  CODE_SHARE,
  FILE,
  FILE_TERMS,
  NAMES,
  PRIOR,
} from "./weights.ts";

/** Which files a question is limited to; undefined is all. */
export type FileFilter = (file: FileFacts) => boolean;

/** One file of the answer, with its best chunk. */
export interface Ranked {
  readonly file: FileFacts;
  readonly chunk: ChunkFacts;
  readonly score: number;
  /** What made the score: for `--explain` and the item's metadata. */
  readonly signals: Readonly<Record<string, number>>;
}

const WEIGHTS = { body: BODY, names: NAMES, file: FILE, fileTerms: FILE_TERMS, blend: BLEND };

/** Ranks the files of an index for a question, best first, at most `limit`. */
export async function rank(
  index: IndexReader,
  query: Query,
  { limit, filter }: { limit: number; filter?: FileFilter | undefined },
): Promise<readonly Ranked[]> {
  const hits = await index.lexical({
    terms: query.terms,
    weights: WEIGHTS,
    limit: Math.max(CLOSE_LOOK, limit),
    filter,
  });
  const docsShare = 1 - (await index.codeShare());
  const mostDefined = definedBonus({ names: query.words }, query);
  const looks = hits
    .map((hit) => firstLook(hit, query, { docsShare, mostDefined }))
    .toSorted((one, other) => other.most - one.most);
  const ranked: Ranked[] = [];
  for (const look of looks) {
    // Nothing that comes now can get into the answer any more.
    if (ranked.length >= limit && (ranked[limit - 1]?.score ?? 0) > look.most) break;
    // eslint-disable-next-line no-await-in-loop -- how far to go is known only on the way
    const found = await closeLook(look, query);
    if (found !== undefined) insert(ranked, found);
  }
  return ranked.slice(0, limit);
}

/** Keeps the list in order: best first, then by path. */
function insert(ranked: Ranked[], found: Ranked): void {
  const at = ranked.findIndex(
    ({ score, file }) =>
      score < found.score || (score === found.score && file.path > found.file.path),
  );
  ranked.splice(at === -1 ? ranked.length : at, 0, found);
}

/** A file with what is known of it without reading its outline. */
interface Look {
  readonly hit: LexicalHit;
  readonly path: number;
  readonly prior: number;
  /** Its score cannot be more. */
  readonly most: number;
}

function firstLook(
  hit: LexicalHit,
  query: Query,
  { docsShare, mostDefined }: { docsShare: number; mostDefined: number },
): Look {
  const path = pathBonus(hit.file.path, query);
  const prior = priorOf(hit.file, query, docsShare);
  const defined = hit.hasNames ? mostDefined : 0;
  // A little more, so that rounding never makes the bound too low.
  return { hit, path, prior, most: (hit.score + hit.best + path + defined) * prior + 1e-6 };
}

/** Undefined for a file without chunks: there is nothing to show of it. */
async function closeLook({ hit, path, prior }: Look, query: Query): Promise<Ranked | undefined> {
  const best = bestChunk(await hit.chunks(), query);
  if (best === undefined) return undefined;
  const { body, names, facts } = best.chunk;
  const signals: Record<string, number> = {
    file: hit.score,
    body,
    names,
    defined: best.defined,
    path,
  };
  const sum = Object.values(signals).reduce((total, value) => total + value, 0);
  return { file: hit.file, chunk: facts, score: sum * prior, signals: { ...signals, prior } };
}

/** The chunk of a file that answers best. */
function bestChunk(
  chunks: readonly LexicalChunk[],
  query: Query,
): { chunk: LexicalChunk; defined: number } | undefined {
  let best: { chunk: LexicalChunk; defined: number } | undefined;
  let highest = -1;
  for (const chunk of chunks) {
    // A chunk that defines a word of the question has its terms among its names; most have not.
    const defined = chunk.names > 0 ? definedBonus(chunk.facts, query) : 0;
    const score = chunk.body + chunk.names + defined;
    if (score > highest) {
      highest = score;
      best = { chunk, defined };
    }
  }
  return best;
}

/** The question names something that this chunk defines. */
function definedBonus({ names }: Pick<ChunkFacts, "names">, query: Query): number {
  let bonus = 0;
  for (const word of query.words) {
    const isIdentifier = query.identifiers.has(word);
    const defined = names.some(
      (name) => name === word || (query.isSymbol && name.toLowerCase() === word.toLowerCase()),
    );
    if (defined) bonus += isIdentifier ? BONUS.identifierDefined : BONUS.wordDefined;
  }
  return bonus;
}

function pathBonus(path: string, query: Query): number {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const stem = name.replace(/\.[^.]+$/, "");
  let bonus = query.paths.some((wanted) => path === wanted || path.endsWith(`/${wanted}`))
    ? BONUS.pathNamed
    : 0;
  for (const word of query.words) {
    if (stem === word.toLowerCase()) {
      bonus += query.identifiers.has(word) ? BONUS.identifierIsFile : BONUS.wordIsFile;
    }
  }
  return bonus;
}

function priorOf(file: FileFacts, { asksFor }: Query, docsShare: number): number {
  let prior = 1;
  if (file.role === "tests" && !asksFor.tests) prior *= PRIOR.tests;
  if (file.role === "docs" && !asksFor.docs && docsShare < 1 - CODE_SHARE)
    prior *= PRIOR.docsAmongCode;
  if (file.role === "config" && !asksFor.config) prior *= PRIOR.config;
  if ((file.flags & FileFlag.example) !== 0 && !asksFor.examples) prior *= PRIOR.example;
  if ((file.flags & FileFlag.vendored) !== 0) prior *= PRIOR.vendored;
  if ((file.flags & FileFlag.generated) !== 0) prior *= PRIOR.generated;
  if (file.path.endsWith(".d.ts")) prior *= PRIOR.declarations;
  if (/(?:^|\/)(?:changelog|changes|history|news)\b/i.test(file.path) && !asksFor.docs)
    prior *= PRIOR.changelog;
  return prior;
}
