// What a standing question asks of a file: which of its new lines, chunks or names answer it.

import { SvcError } from "../../base/errors.ts";
import { hasQueryLength, QUERY_LENGTH_PROBLEM } from "../../base/query-length.ts";
import { createTokenizer, type Tokenizer } from "../../parse/tokenizer.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import { parseQuery } from "../../search/parse-query.ts";
import { cosineOf, QueryEmbedder } from "../../search/query-embedder.ts";
import type { Monitor } from "../../sources/monitors.ts";
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

/** A chunk of a file that was read, as a query sees it. */
interface ChunkText {
  readonly path: string;
  readonly text: string;
}

/** How well a chunk answers, 0 to 1; 0 when it is no good match. */
export type ChunkTest = (chunk: ChunkText) => number;

/** A chunk answers by its words alone when it has this share of those of the question … */
const TERMS_ONLY_WEIGHT = 2 / 3;
/** … or with this share of them when it is also near in meaning. */
const TERMS_WITH_SIMILARITY_WEIGHT = 1 / 3;
const MIN_SIMILARITY = 0.55;
const MAX_PATTERN_CHARS = 1000;
/** With its repeats written out: it is asked of each file that changes, where others wait for the index. */
const MAX_PATTERN_ELEMENTS = 1000;
const MAX_SYMBOL_CHARS = 256;

/**
 * A chunk is a good match of a question when it, or its path, has two thirds of the question's words, in any form;
 * all of them where there are two at most; or a third of them and a vector whose cosine with that of the question
 * is NEAR. Nothing else of the index counts, so that the same change has the same hits whatever lies beside it.
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

/** As `search_text` reads it: a regular expression, capitals as they are. */
export function compileLinePattern(question: string): LinePattern {
  return compilePattern(question, { isRegex: true, caseSensitive: true, wholeWord: false });
}

/** Throws where a question cannot be asked: INVALID_QUERY, INVALID_PATTERN or INVALID_PARAMS. */
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
    throw new SvcError("INVALID_PARAMS", `symbol: "${question}" is no name.`, {
      hint: "Give a name such as parseConfig or Session.open.",
    });
  } else pathMatcher(question);
}

function requireMaxLength(argument: string, question: string, maxLength: number): void {
  if (question.length <= maxLength) return;
  throw new SvcError("INVALID_PARAMS", `${argument}: must be 1 to ${maxLength} characters long.`);
}
