import { basename } from "node:path";

import { isDocumentation } from "../../base/documents/document-formats.ts";
import { isValueKind } from "../../base/definition-kinds.ts";
import type { Tokenizer } from "../../parse/tokenizer.ts";
import type { SearchReader } from "../../index/multi/multi-reader.ts";
import { areAlikeRanked } from "../../search/definition-order.ts";
import { FIRST_RESULTS, toHundredths } from "../../search/confidence.ts";
import { mainLanguages } from "../../search/main-languages.ts";
import { parseQuery, type Project, type Query } from "../../search/parse-query.ts";
import { mayHaveTopic } from "../../search/intent.ts";
import { maxResultsWithin } from "../../search/passage-budget.ts";
import { settingQuestion } from "../../search/setting-questions.ts";
import type { QueryEmbedder } from "../../search/query-embedder.ts";
import {
  rank as rankFiles,
  type DefinitionPlace,
  type Ranking,
  type RankOptions,
} from "../../search/rank.ts";
import { correctTypos, type Correction, type Lexicon } from "../../search/correct-typos.ts";
import type { QueryContext } from "../query-context.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { SearchRequest, SearchResult } from "../api/search.ts";
import { fileFilter } from "../files/file-filter.ts";
import { definitionsNamed, lastPart, type NamesReader } from "../symbols/named-definitions.ts";
import { RERANK_DEPTH } from "../../search/weights.ts";
import { documentGaps } from "../indexing/document-counts.ts";
import { smallTexts } from "./small-texts.ts";
import { currentTexts, fitPassages, placesOf, type TextOf } from "./fit-passages.ts";
import type { FoldedFile } from "./fold-copies.ts";
import type { FoundChunk } from "./places.ts";
import { rerank } from "./rerank.ts";

/** Maximum rank on any page. A query that needs more should be rephrased. */
const MAX_RESULT_DEPTH = 1000;
/** Maximum definitions of a bare name that precede the other results. */
const MAX_DEFINITIONS = 3;

interface SearchContext extends Pick<QueryContext, "sources" | "texts"> {
  readonly reader: SearchReader;
  readonly tokenizer: Tokenizer;
  readonly embedder: QueryEmbedder;
  /** Of an index of several namespaces: returns the namespace of a path. */
  readonly namespaceOf?: ((path: string) => string) | undefined;
}

/** What a search asks for, without its caller. */
export type SearchQuestion = Omit<SearchRequest, "principal" | "namespace" | "signal" | "deadline">;

export type FoundPassages = Omit<SearchResult, "namespace" | "building" | "tookMs">;

/** Runs a search: ranks, reads the current text, fits it into the token budget. Throws INVALID_CURSOR, INVALID_PARAMS. */
export async function searchPassages(
  context: SearchContext,
  request: SearchQuestion & Pick<SearchRequest, "signal">,
): Promise<FoundPassages> {
  const { limit, maxTokens, cursor, path, within, language, kinds } = request;
  const cursorKey = ["search", request.query, path, within, language, kinds, request.allCopies];
  const offset = decodeCursor(cursorKey, cursor);
  const { query, corrections, rank } = await prepareQuery(context, request);
  const filter = fileFilter(request);
  const textOf = currentTexts(context);
  const neighbours = { textsOf: smallTexts(context, textOf), terms: context.tokenizer.terms };
  const { files: ranked, confidence } = await foldedRanking(
    (atMost) => rank({ limit: atMost, filter, neighbours }),
    { request, wanted: offset + limit + 1, textOf, scopeOf: context.namespaceOf },
  );
  const { isWeak } = confidence;
  // Results without room go to the next page.
  const room = maxResultsWithin(maxTokens);
  const page = ranked.slice(offset, offset + Math.min(limit, room));
  const results = resultsOf(page, { among: limit, more: room - page.length, isWeak });
  await context.texts.prefetch(results.map(({ file }) => file.path));
  const { places, failure } = await rerank(await placesOf(textOf, results), request);
  const showsFullPassages = request.showsFullPassages === true;
  const topScore = ranked[0]?.score ?? 0;
  const fit = { query, maxTokens, offset, confidence, topScore, showsFullPassages };
  const passages = fitPassages(places, fit);
  const next = offset + page.length;
  const nextCursor = ranked.length > next ? encodeCursor(cursorKey, next) : undefined;
  const { version, partial } = context.reader;
  const isIncomplete = confidence.isUnsure || passages.length === 0;
  const gaps = isIncomplete ? await documentGaps(context.reader) : [];
  return {
    generation: version.at,
    passages,
    nextCursor,
    confidence: passages.length === 0 ? 0 : toHundredths(confidence.value),
    isWeak,
    isUnsure: confidence.isUnsure,
    corrections,
    rerankFailure: failure,
    partial: [...partial, ...gaps],
  };
}

/** A query as it is searched for. */
interface PreparedQuery {
  readonly query: Query;
  readonly corrections: readonly Correction[];
  readonly rank: (
    options: Pick<RankOptions, "limit" | "filter" | "neighbours">,
  ) => Promise<Ranking>;
}

/** Corrects and parses a query. Without vectors, only words count. */
export async function prepareQuery(
  context: Omit<SearchContext, "texts">,
  request: Pick<SearchQuestion, "query"> & { readonly withoutVectors?: boolean },
): Promise<PreparedQuery> {
  const { reader, embedder, tokenizer } = context;
  const { text, corrections } = await correctTypos(request.query, lexiconOf(context));
  const query = parseQuery(text, tokenizer, {
    ...(await projectOf(context)),
    definesSubject: await definesSubject(reader, text),
    topicOf: await topicFinder(text),
  });
  const vector = request.withoutVectors === true ? undefined : embedder.embed(query.embeddingText);
  const definitions = query.isSymbol ? await namedPlaces(reader, text.trim()) : [];
  const options = {
    definitions,
    embedding: vector && {
      vector,
      nameSimilarity: (name: string) => embedder.nameSimilarity(name, vector),
    },
    logProbability: embedder.logProbability,
    titleGrade: await titleGraderFor(query),
  };
  return {
    query,
    corrections,
    rank: (wanted) => rankFiles(reader, query, { ...options, ...wanted }),
  };
}

interface FoldedRankingOptions {
  readonly request: Pick<SearchQuestion, "query" | "allCopies">;
  readonly wanted: number;
  readonly textOf: TextOf;
  readonly scopeOf: SearchContext["namespaceOf"];
}

/** The first files of a ranking, without copies of each other unless the request asks for them. */
async function foldedRanking(
  rankingOf: (limit: number) => Promise<Ranking>,
  { request, wanted, textOf, scopeOf = (): string => "" }: FoldedRankingOptions,
): Promise<Omit<Ranking, "files"> & { readonly files: readonly FoldedFile[] }> {
  if (request.allCopies === true) {
    const ranking = await rankingOf(Math.min(wanted, MAX_RESULT_DEPTH));
    const files = ranking.files.map((file) => ({ ...file, copies: [], translations: [] }));
    return { ...ranking, files };
  }
  const { foldCopies } = await import("./fold-copies.ts");
  // The confidence in a result depends on the first ones, whatever the page.
  const count = Math.max(wanted, FIRST_RESULTS);
  for (let depth = Math.ceil(count / RERANK_DEPTH) * RERANK_DEPTH; ; depth += RERANK_DEPTH) {
    const limit = Math.min(depth, MAX_RESULT_DEPTH);
    // eslint-disable-next-line no-await-in-loop -- only copies make a deeper ranking necessary
    const ranking = await rankingOf(limit);
    const options = { question: request.query, wanted: count, textOf, scopeOf };
    // eslint-disable-next-line no-await-in-loop -- as above
    const files = await foldCopies(ranking.files, options);
    const isLast = ranking.files.length < limit || limit === MAX_RESULT_DEPTH;
    if (files.length < count && !isLast) continue;
    const confidence = ranking.confidence.withScores(files.map(({ score }) => score));
    return { ...ranking, confidence, files };
  }
}

/** What finds the topic of a question; undefined if it has none. */
async function topicFinder(text: string): Promise<Project["topicOf"]> {
  return mayHaveTopic(text) ? (await import("../../search/titled-answers.ts")).topicOf : undefined;
}

async function titleGraderFor(query: Query): Promise<RankOptions["titleGrade"]> {
  if (query.topic === undefined) return undefined;
  return (await import("../../search/titled-answers.ts")).titleGrader(query);
}

/** Whether what a question may ask about as a setting is a function or a type. */
async function definesSubject(reader: NamesReader, text: string): Promise<boolean> {
  const asked = settingQuestion(text);
  if (asked?.name === undefined || asked.isCertain) return false;
  const named = await definitionsNamed(reader, asked.name);
  return named.some(({ kind }) => kind !== "section" && !isValueKind(kind));
}

/** Where the likeliest definitions of the very name are. */
async function namedPlaces(reader: NamesReader, name: string): Promise<readonly DefinitionPlace[]> {
  const called = lastPart(name.replace(/\(\)$/, ""));
  const isPlainWord = /^[A-Za-z][a-z]*$/.test(called);
  const named = (await definitionsNamed(reader, name)).filter(
    // A single word is more often a word of prose than the name of a field.
    ({ name: own, qualifiedName, kind }) =>
      own === called &&
      kind !== "section" &&
      !(isPlainWord && isValueKind(kind) && own !== qualifiedName),
  );
  const best = named[0]?.rank ?? 0;
  return named
    .filter(({ rank }) => areAlikeRanked(rank, best))
    .slice(0, MAX_DEFINITIONS)
    .map(({ path, nameLine }) => ({ path, line: nameLine }));
}

function lexiconOf({
  reader,
  tokenizer,
  embedder,
}: Pick<SearchContext, "reader" | "tokenizer" | "embedder">): Lexicon {
  return { tokenizer, termCounts: reader.termCounts, logProbability: embedder.logProbability };
}

const NOTHING_FOLDED = { copies: [], translations: [] };

interface ResultLimits {
  readonly among: number;
  readonly more: number;
  readonly isWeak: boolean;
}

/**
 * The best chunk of each file, and up to `more` other chunks that are among the first `among` results. Sorted by
 * score, descending. If all are weak, other chunks are only those of documents, in which one page is easily mistaken for
 * another.
 */
function resultsOf(
  files: readonly FoldedFile[],
  { among, more, isWeak }: ResultLimits,
): readonly FoundChunk[] {
  let others = 0;
  return files
    .flatMap(({ chunks, ...file }) =>
      chunks.map(({ chunk, score, matches }, at) => ({
        ...file,
        chunk,
        score,
        matches,
        signals:
          at === 0 ? file.signals : { ...file.signals, "below the best": score - file.score },
        isBest: at === 0,
        ...(at === 0 ? {} : NOTHING_FOLDED),
      })),
    )
    .toSorted((one, other) => other.score - one.score)
    .filter(({ isBest, file }, at) => {
      if (isBest) return true;
      if (isWeak && !isDocumentation(file)) return false;
      others += 1;
      return at < among && others <= more;
    });
}

async function projectOf({
  reader,
  sources,
}: Pick<SearchContext, "reader" | "sources">): Promise<Project> {
  return {
    names: sources.map(({ root }) => basename(root)),
    languages: await mainLanguages(reader),
  };
}
