// Features of a candidate, the input of the ranking model. Most are between 0 and 1. docs/ranking.md gives the
// weight of each.

import { isValueKind } from "../base/definition-kinds.ts";
import { partTerms, scanWords } from "../parse/tokenizer.ts";
import type { CandidateChunk, CandidateFile, Candidates } from "../index/scoring/candidates.ts";
import { FileFlag, type FileFacts } from "../index/types.ts";
import { MIN_LONG_QUERY_CHARS, type Query } from "./parse-query.ts";
import { isSettingsFile } from "./settings-files.ts";

/** Values that the features of all candidates of a query share. */
export interface QueryFacts {
  readonly query: Query;
  /** Weight of each query term; terms that the index does not contain are absent. */
  readonly weights: ReadonlyMap<string, number>;
  /** The same weights by bit (see `Candidates.terms`). */
  readonly bits: readonly number[];
  /** Sum of the weights; never 0. */
  readonly total: number;
  /** Share of documentation among the files, 0 to 1. */
  readonly docsShare: number;
  /** Highest cosine of any chunk with the query. */
  readonly maxSimilarity: number;
  /** Cosine of a name's vector with the query; 0 without vectors. */
  readonly nameSimilarity: (name: string) => number;
  /** As `unfamiliarity` returns it. */
  readonly unfamiliar: number;
  /** Page rank of a file, 0 to 255; 0 for one without a rank. Only asked for a single name. */
  readonly fileRank: (path: string) => number;
}

/** Computes the facts of a query from its candidates. */
export function queryFacts(
  query: Query,
  { terms, maxSimilarity }: Pick<Candidates, "terms" | "maxSimilarity">,
  known: Pick<QueryFacts, "docsShare" | "nameSimilarity" | "unfamiliar" | "fileRank">,
): QueryFacts {
  const bits = terms.map(({ weight }) => weight);
  return {
    query,
    weights: new Map(terms.map(({ term, weight }) => [term, weight])),
    bits: bits.slice(0, 32),
    total: Math.max(
      1e-9,
      bits.reduce((sum, weight) => sum + weight, 0),
    ),
    maxSimilarity,
    ...known,
  };
}

/** Features of a chunk, in the order of `chunkFeatures`. */
export const CHUNK_FEATURES = [
  /** BM25 of the chunk's text, and of the names it defines; 1 for the best chunk of the index. */
  "chunkText",
  "chunkNames",
  /** Cosine with the query; 1 for the most similar chunk. */
  "chunkSimilarity",
  /** Share of the query, by term weight, that the text contains, */
  "textCoverage",
  /** that the names contain, */
  "namesCoverage",
  /** and that text, names and path contain together. */
  "chunkCoverage",
  /** Share of the parts of the chunk's own name that occur in the query. */
  "nameOverlap",
  /** `nameOverlap` times the weight of these parts: high when the query almost spells out the name. */
  "nameWeight",
  /** Cosine of the chunk's own name with the query. */
  "nameSimilarity",
  /** Number of query words that the chunk defines: those that look like identifiers, and others. Up to 2 each. */
  "identifierDefined",
  "wordDefined",
  "isFunction",
  "isClass",
  "isConstant",
  "isModule",
  "isSection",
  "isText",
  /** 1 if the chunk begins at line 1. */
  "isFirst",
  /** Binary logarithm of the number of lines. */
  "lines",
  /** Of documentation and settings, products with the chance that the query wants to do or to set something. */
  "chunkText × intent",
  "chunkSimilarity × intent",
  "textCoverage × intent",
  "chunkCoverage × intent",
] as const;

/** Features of a file apart from its best chunk, in the order of `fileFeatures`. */
export const FILE_FEATURES = [
  /** BM25 of the whole file; 1 for the best file. */
  "fileText",
  /** 1 if the file contains no query term, so that only its vectors match. */
  "noTermMatch",
  /** Maximum over the chunks of the file. */
  "bestText",
  "bestNames",
  "bestSimilarity",
  /** Weighted mean cosine of the three most similar chunks. */
  "topSimilarities",
  /** Share of the query that the path contains, and that the file name contains. */
  "pathCoverage",
  "fileNameCoverage",
  /** Share of the parts of the file name that occur in the query. */
  "fileNameOverlap",
  /** 1 if the file name is an identifier of the query. */
  "fileNameIsIdentifier",
  /** 1 if the query contains the path. */
  "pathInQuery",
  /** Share of the query that the file contains. */
  "coverage",
  /** Role of the file when the query does not ask for that role, and when it does. */
  "tests",
  "testsRequested",
  "docs",
  "docsRequested",
  /** For documentation, the share of documentation among all files. */
  "docsAmongDocs",
  "config",
  "configRequested",
  "example",
  "exampleRequested",
  "vendored",
  "generated",
  "declarations",
  "changelog",
  "readme",
  /** Binary logarithm of the number of chunks. */
  "chunks",
  /** Number of parent folders. */
  "depth",
  /** Page rank, 0 to 4, if the query is a single name: it most likely means the definition that others use. */
  "pageRankOfName",
  /** Of a file of settings, the chance that the query wants to set something. */
  "settings × intent",
] as const;

/** Products of a file feature and a property of the query. */
export const CROSS_FEATURES = [
  ["bestNames", "isSymbol"],
  ["fileText", "isLong"],
  ["bestSimilarity", "isLong"],
  ["fileText", "docsShare"],
  ["bestText", "docsShare"],
  ["bestNames", "docsShare"],
  ["bestSimilarity", "docsShare"],
  ["topSimilarities", "docsShare"],
  ["pathCoverage", "docsShare"],
  ["coverage", "docsShare"],
  ["bestSimilarity", "querySimilarity"],
  ["topSimilarities", "querySimilarity"],
  ["docs", "intent"],
  ["docsRequested", "intent"],
] as const;

/** Cosines that count less if the table of vectors hardly knows the subject of a query. */
const UNFAMILIAR_FEATURES = ["bestSimilarity", "topSimilarities"] as const;

/** Names of all products, in the order of `crossFeatures`. */
export const PRODUCT_FEATURES: readonly string[] = [
  ...CROSS_FEATURES.map(([feature, of]) => `${feature} × ${of}`),
  ...UNFAMILIAR_FEATURES.map((feature) => `lack of ${feature} × unfamiliar`),
];

/** Returns the features of a chunk in the order of `CHUNK_FEATURES`. */
export function chunkFeatures(
  chunk: CandidateChunk,
  file: CandidateFile,
  facts: QueryFacts,
): readonly number[] {
  const { kind, startLine, endLine, symbol } = chunk.facts;
  const name = ownName(symbol);
  const { overlap, weight } = nameOverlap(name, facts);
  const { identifiers, words } = definedTerms(chunk, facts.query);
  const textCoverage = termCoverage(chunk.bodyTerms, facts);
  const allCoverage = termCoverage(chunk.bodyTerms | chunk.namesTerms | file.pathTerms, facts);
  const intent = intentFor(file.file, facts.query);
  return [
    chunk.body,
    chunk.names,
    chunk.similarity,
    textCoverage,
    termCoverage(chunk.namesTerms, facts),
    allCoverage,
    overlap,
    overlap * weight,
    name === "" ? 0 : facts.nameSimilarity(name),
    Math.min(2, identifiers),
    Math.min(2, words),
    Number(kind === "function" || kind === "method"),
    Number(kind === "class" || kind === "type"),
    Number(isValueKind(kind)),
    Number(kind === "module"),
    Number(kind === "section"),
    Number(kind === "text"),
    Number(startLine === 1),
    Math.log2(endLine - startLine + 1),
    chunk.body * intent,
    chunk.similarity * intent,
    textCoverage * intent,
    allCoverage * intent,
  ];
}

/** Returns the chance, 0 to 1, that a query asks for such a file by what someone wants to do. */
function intentFor(file: FileFacts, query: Query): number {
  return file.role === "docs" ? query.intent : settingIntentFor(file, query);
}

/** Returns the chance, 0 to 1, that a query asks for a setting, if this is a file of settings; otherwise 0. */
export function settingIntentFor(
  file: FileFacts,
  { settingIntent }: Pick<Query, "settingIntent">,
): number {
  return settingIntent > 0 && isSettingsFile(file) ? settingIntent : 0;
}

/** Returns the features of a file in the order of `FILE_FEATURES`. */
export function fileFeatures(
  candidate: CandidateFile,
  chunks: readonly CandidateChunk[],
  facts: QueryFacts,
): readonly number[] {
  const { file, fileScore, pathTerms } = candidate;
  const { query, docsShare } = facts;
  const { requestedRoles } = query;
  const stem = stemOf(file.path);
  const name = nameOverlap(stem, facts);
  const maxima = maxScores(chunks);
  const isDocs = file.role === "docs";
  const isConfig = file.role === "config";
  const settings = settingIntentFor(file, query);
  const isExample = (file.flags & FileFlag.example) !== 0;
  return [
    fileScore,
    Number(fileScore === 0),
    maxima.body,
    maxima.names,
    maxima.similarity,
    maxima.topSimilarities,
    termCoverage(pathTerms, facts),
    name.weight,
    name.overlap,
    Number([...query.identifiers].some((word) => word.toLowerCase() === stem.toLowerCase())),
    Number(query.paths.some((path) => file.path === path || file.path.endsWith(`/${path}`))),
    termCoverage(maxima.terms | pathTerms, facts),
    Number(file.role === "tests" && !requestedRoles.tests),
    Number(file.role === "tests" && requestedRoles.tests),
    Number(isDocs && !requestedRoles.docs),
    Number(isDocs && requestedRoles.docs),
    isDocs ? docsShare : 0,
    isConfig && !requestedRoles.config ? 1 - settings : 0,
    Number(isConfig && requestedRoles.config),
    // Users copy a sample of the settings, so it is not an example here.
    isExample && !requestedRoles.examples ? 1 - settings : 0,
    Number(isExample && requestedRoles.examples),
    Number((file.flags & FileFlag.vendored) !== 0),
    Number((file.flags & FileFlag.generated) !== 0),
    Number(file.path.endsWith(".d.ts")),
    Number(CHANGELOG.test(file.path)),
    Number(README.test(file.path)),
    Math.log2(1 + candidate.chunkCount),
    file.path.split("/").length - 1,
    query.isSymbol ? facts.fileRank(file.path) / RANK_UNIT : 0,
    settings,
  ];
}

/** Codes of page ranks in the unit of the feature. */
const RANK_UNIT = 64;

const CHANGELOG = /(?:^|\/)(?:changelog|changes|history|news)\b/i;
const README = /(?:^|\/)readme[^/]*$/i;

/** Returns the products in the order of `PRODUCT_FEATURES`; `features` are those of the file. */
export function crossFeatures(
  features: readonly number[],
  { query, docsShare, maxSimilarity, unfamiliar }: QueryFacts,
): readonly number[] {
  const known = {
    querySimilarity: maxSimilarity,
    isSymbol: Number(query.isSymbol),
    isLong: Number(query.length > MIN_LONG_QUERY_CHARS),
    docsShare,
    intent: query.intent,
  };
  const valueOf = (name: (typeof FILE_FEATURES)[number]): number =>
    features[FILE_FEATURES.indexOf(name)] ?? 0;
  return [
    ...CROSS_FEATURES.map(([feature, of]) => valueOf(feature) * known[of]),
    ...UNFAMILIAR_FEATURES.map((feature) => (1 - valueOf(feature)) * unfamiliar),
  ];
}

/** Returns the share of the query, by weight, that these terms make up, 0 to 1. */
function termCoverage(terms: number, { bits, total }: QueryFacts): number {
  let sum = 0;
  for (let bit = 0; bit < bits.length; bit += 1) {
    if (((terms >>> bit) & 1) === 1) sum += bits[bit] ?? 0;
  }
  return sum / total;
}

/** Returns the share of a name's parts that the query contains, and the share of the query that they make up. */
function nameOverlap(name: string, facts: QueryFacts): { overlap: number; weight: number } {
  if (name === "") return { overlap: 0, weight: 0 };
  const parts = partsOf(name, facts.query);
  let found = 0;
  let weight = 0;
  for (const part of parts) {
    if (!facts.query.terms.has(part)) continue;
    found += 1;
    weight += facts.weights.get(part) ?? 0;
  }
  return { overlap: parts.length === 0 ? 0 : found / parts.length, weight: weight / facts.total };
}

/** Returns the terms of the parts of a name, without those of whole words. */
function partsOf(name: string, { split }: Query): readonly string[] {
  const parts = new Set<string>();
  scanWords(name, (word) => {
    for (const term of partTerms(split(word))) parts.add(term);
  });
  return [...parts];
}

/** Returns the last part of a qualified name. */
function ownName(symbol: string): string {
  const title = symbol.lastIndexOf(" > ");
  return title >= 0 ? symbol.slice(title + 3) : symbol.slice(symbol.lastIndexOf(".") + 1);
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
}

/** Counts the query words that the chunk defines. */
function definedTerms(
  { facts: { names } }: CandidateChunk,
  query: Query,
): { identifiers: number; words: number } {
  let identifiers = 0;
  let words = 0;
  for (const word of query.words) {
    if (query.identifiers.has(word)) {
      const plain = normalizedName(word);
      if (names.some((name) => name === word || normalizedName(name) === plain)) identifiers += 1;
    } else if (names.includes(word)) {
      words += 1;
    }
  }
  return { identifiers, words };
}

/** Gives the same result for `parseConfig`, `parse_config` and `PARSE_CONFIG`. */
function normalizedName(name: string): string {
  return name.replaceAll(/[_$]/g, "").toLowerCase();
}

/** Returns the maximum of each score over the chunks, and the union of their terms. */
function maxScores(chunks: readonly CandidateChunk[]): {
  readonly body: number;
  readonly names: number;
  readonly similarity: number;
  readonly topSimilarities: number;
  readonly terms: number;
} {
  let body = 0;
  let names = 0;
  let terms = 0;
  let [first, second, third] = [0, 0, 0];
  for (const chunk of chunks) {
    body = Math.max(body, chunk.body);
    names = Math.max(names, chunk.names);
    terms |= chunk.bodyTerms | chunk.namesTerms;
    const { similarity } = chunk;
    if (similarity > first) [first, second, third] = [similarity, first, second];
    else if (similarity > second) [second, third] = [similarity, second];
    else if (similarity > third) third = similarity;
  }
  // A file of one chunk must not count as less similar than one of three.
  if (chunks.length < 2) second = first;
  if (chunks.length < 3) third = second;
  return {
    body,
    names,
    similarity: first,
    topSimilarities: (first + second / 2 + third / 4) / 1.75,
    terms,
  };
}
