import { basename } from "node:path";

import type { Tokenizer } from "../chunk/words.ts";
import type { IndexReader } from "../index/backend.ts";
import { mainLanguages } from "../search/main-languages.ts";
import { parseQuery, type Project, type Query } from "../search/parse-query.ts";
import {
  fittingExcerpt,
  linesAllowed,
  passageBudget,
  pointersAllowed,
  tokensOf,
} from "../search/passages.ts";
import type { QuestionEmbedder } from "../search/question-vector.ts";
import { rank, type Ranked, type RankedChunk } from "../search/rank.ts";
import type { Source } from "../sources/registry.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { findAgain, isSame, readIndexed } from "./current-text.ts";
import type { Passage, SearchRequest } from "./engine.ts";
import { fileFilter } from "./file-filter.ts";

/** Pages beyond this are not worth ranking: a question whose answer is so deep wants other words. */
const DEEPEST_RESULT = 1000;

interface Sight {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
  readonly tokenizer: Tokenizer;
  readonly embedder: QuestionEmbedder;
}

/** Answers a question: ranks, reads the text as it is now, fits it to the budget. */
export async function searchPassages(
  sight: Sight,
  request: SearchRequest,
): Promise<{
  passages: readonly Passage[];
  nextCursor: string | undefined;
  isWeak: boolean;
}> {
  const { limit, maxTokens, cursor, path, language, kinds } = request;
  const question = ["search", request.query, path, language, kinds];
  const offset = decodeCursor(question, cursor);
  const query = parseQuery(request.query, sight.tokenizer, await projectOf(sight));
  const vector = sight.embedder.vectorOf(query.meaning);
  const { files: ranked, isWeak } = await rank(sight.reader, query, {
    limit: Math.min(offset + limit + 1, DEEPEST_RESULT),
    filter: fileFilter(request),
    meaning: vector && { vector, nearness: (name) => sight.embedder.nearness(name, vector) },
  });
  // What has no room for as much as a pointer is left to the next page.
  const page = ranked.slice(offset, offset + Math.min(limit, pointersAllowed(maxTokens)));
  const results = resultsOf(page, limit).slice(0, pointersAllowed(maxTokens));
  let budget = passageBudget(maxTokens, results.length);
  const passages: Passage[] = [];
  for (const [at, found] of results.entries()) {
    // eslint-disable-next-line no-await-in-loop -- each leaves the next what remains of the budget
    const passage = await passageOf(sight, found, {
      query,
      maxLines: linesAllowed(offset + at),
      maxTokens: budget,
    });
    if (passage === undefined) continue;
    passages.push(passage);
    // Behind the first pointer come pointers only: a reader sees where the passages end.
    budget = passage.text === "" ? 0 : budget - tokensOf(passage.text);
  }
  const next = offset + page.length;
  const nextCursor = ranked.length > next ? encodeCursor(question, next) : undefined;
  return { passages, nextCursor, isWeak };
}

/** A chunk of an answer, with its file. */
type Result = Omit<Ranked, "chunks"> & RankedChunk;

/** The best chunk of each file, and others where they are among the first `limit` results; best first. */
function resultsOf(files: readonly Ranked[], limit: number): readonly Result[] {
  return files
    .flatMap(({ chunks, ...file }) =>
      chunks.map((chunk, at) => ({ ...file, ...chunk, isBest: at === 0 })),
    )
    .toSorted((one, other) => other.score - one.score)
    .filter(({ isBest }, at) => isBest || at < limit);
}

async function projectOf({ reader, sources }: Sight): Promise<Project> {
  return {
    names: sources.map(({ root }) => basename(root)),
    languages: await mainLanguages(reader),
  };
}

/** Undefined when the file is gone or emptied: an answer never points at what is not there. */
async function passageOf(
  { reader, sources, tokenizer }: Sight,
  { file, chunk, score, signals }: Result,
  { query, maxLines, maxTokens }: { query: Query; maxLines: number; maxTokens: number },
): Promise<Passage | undefined> {
  const current = readIndexed(sources, file.path);
  if (current === undefined || current.lines.length === 0) return undefined;
  const changed = !isSame(await reader.file(file.path), current);
  const { startLine, endLine } = changed ? findAgain(chunk, file, current) : chunk;
  const lines = current.lines.slice(startLine - 1, endLine);
  return {
    path: file.path,
    startLine,
    endLine,
    language: file.language,
    kind: file.role,
    symbol: chunk.symbol,
    score: Math.round(score * 1000) / 1000,
    signals,
    text: fittingExcerpt({ startLine, lines }, { query, tokenizer, maxLines }, maxTokens),
    changed,
  };
}
