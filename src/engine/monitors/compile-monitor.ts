// Compiles the query of a monitor into a test for lines or chunks.

import { SvcError } from "../../base/errors.ts";
import { hasQueryLength, QUERY_LENGTH_PROBLEM } from "../../base/query-length.ts";
import { createTokenizer, type Tokenizer } from "../../parse/tokenizer.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import { parseQuery } from "../../search/parse-query.ts";
import { cosineOf, QueryEmbedder } from "../../search/query-embedder.ts";
import type { Monitor } from "../../sources/registry/records.ts";
import { pathMatcher } from "../files/file-filter.ts";
import { unqualifiedName } from "./monitor-names.ts";
import { requireMaxSize } from "../text-search/pattern-size.ts";
import { compilePattern, type LinePattern } from "../text-search/text-pattern.ts";

interface MonitorLanguage {
  readonly tokenizer: Tokenizer;
  readonly embedder: QueryEmbedder;
}

export function monitorLanguage(embeddings: EmbeddingSource): MonitorLanguage {
  return { tokenizer: createTokenizer(), embedder: new QueryEmbedder(embeddings) };
}

/** A chunk of a file, as input of a ChunkTest. */
interface ChunkText {
  readonly path: string;
  readonly text: string;
}

/** Score of a chunk, 0 to 1; 0 when it does not match. */
export type ChunkTest = (chunk: ChunkText) => number;

/** A chunk matches by terms only when it has this share of the words of the query … */
const TERMS_ONLY_WEIGHT = 2 / 3;
/** … or with this share of them when its vector is also similar. */
const TERMS_WITH_SIMILARITY_WEIGHT = 1 / 3;
const MIN_SIMILARITY = 0.55;
const MAX_PATTERN_CHARS = 1000;
/** With its repeats expanded. The pattern runs on each changed file, while callers wait for the index. */
const MAX_PATTERN_ELEMENTS = 1000;
const MAX_SYMBOL_CHARS = 256;

/**
 * A chunk matches a query when the chunk or its path has two thirds of the query's words, in any form (all of them
 * for up to two words), or a third of them and a vector whose cosine with that of the query is at least
 * MIN_SIMILARITY. Nothing else in the index counts, so the same change always has the same hits.
 */
export function compileChunkTest(
  question: string,
  { tokenizer, embedder }: MonitorLanguage,
): ChunkTest {
  const query = parseQuery(question, tokenizer);
  const words = query.words
    .map((word) => tokenizer.split(word))
    .filter((terms) => terms.length > 0);
  const vector = embedder.embed(query.embeddingText);
  const enough = words.length <= 2 ? 1 : TERMS_ONLY_WEIGHT;
  return ({ path, text }) => {
    const terms = new Set<string>();
    tokenizer.terms(`${path}\n${text}`, (term) => void terms.add(term));
    const found = words.filter((parts) => parts.some((term) => terms.has(term))).length;
    const share = words.length === 0 ? 0 : found / words.length;
    if (share >= enough) return share;
    if (share < TERMS_WITH_SIMILARITY_WEIGHT || vector === undefined) return 0;
    const queryVector = embedder.embed(text);
    const similarity =
      queryVector === undefined ? 0 : cosineOf(queryVector.components, vector.components);
    return similarity >= MIN_SIMILARITY ? similarity : 0;
  };
}

/** A case-sensitive regular expression, as in `search_text`. */
export function compileLinePattern(question: string): LinePattern {
  return compilePattern(question, { isRegex: true, caseSensitive: true, wholeWord: false });
}

/** Throws INVALID_QUERY, INVALID_PATTERN or INVALID_PARAMS for an invalid query of a monitor. */
export function requireValidQuestion({ kind, question }: Pick<Monitor, "kind" | "question">): void {
  if (kind === "query") {
    if (!hasQueryLength(question))
      throw new SvcError("INVALID_QUERY", `query: ${QUERY_LENGTH_PROBLEM}.`);
  } else if (kind === "pattern") {
    requireMaxLength("pattern", question, MAX_PATTERN_CHARS);
    requireMaxSize(question, MAX_PATTERN_ELEMENTS);
    compileLinePattern(question);
  } else if (kind === "symbol") {
    requireMaxLength("symbol", question, MAX_SYMBOL_CHARS);
    if (unqualifiedName(question) !== "" && !/\s/.test(question)) return;
    throw new SvcError("INVALID_PARAMS", `symbol: "${question}" is not a name.`, {
      hint: "Give a name such as parseConfig or Session.open.",
    });
  } else pathMatcher(question);
}

function requireMaxLength(argument: string, question: string, maxLength: number): void {
  if (question.length <= maxLength) return;
  throw new SvcError("INVALID_PARAMS", `${argument}: must be 1 to ${maxLength} characters long.`);
}
