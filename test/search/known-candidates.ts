// Handwritten candidates and query facts.
import { sharesFor } from "../../src/index/scoring/chunk-shares.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import type {
  CandidateChunk,
  CandidateFile,
  CandidateTerm,
} from "../../src/index/scoring/candidates.ts";
import type { ChunkFacts, FileFacts } from "../../src/index/types.ts";
import { queryFacts, type QueryFacts } from "../../src/search/features.ts";
import { parseQuery } from "../../src/search/parse-query.ts";

const tokenizer = createTokenizer();

interface KnownFacts {
  /** The weights of the indexed query terms, the rarest first; 1 each by default. */
  readonly terms?: readonly CandidateTerm[];
  readonly docsShare?: number;
  readonly maxSimilarity?: number;
  readonly nameSimilarity?: QueryFacts["nameSimilarity"];
  readonly unfamiliar?: number;
  readonly fileRank?: QueryFacts["fileRank"];
}

export function factsOf(
  question: string,
  {
    terms,
    docsShare = 0,
    maxSimilarity = 0,
    nameSimilarity = () => 0,
    unfamiliar = 0,
    fileRank = () => 0,
  }: KnownFacts = {},
): QueryFacts {
  const query = parseQuery(question, tokenizer);
  const all = [...query.terms.keys()].map((term): CandidateTerm => ({ term, weight: 1 }));
  return queryFacts(
    query,
    { terms: terms ?? all, maxSimilarity },
    { docsShare, nameSimilarity, unfamiliar, fileRank },
  );
}

export function chunk(
  facts: Partial<ChunkFacts> = {},
  scores: Partial<Omit<CandidateChunk, "facts">> = {},
): CandidateChunk {
  return {
    facts: { startLine: 2, endLine: 2, kind: "text", symbol: "", names: [], ...facts },
    body: 0,
    names: 0,
    similarity: 0,
    bodyTerms: 0,
    namesTerms: 0,
    ...scores,
  };
}

export function file(
  facts: Partial<FileFacts> = {},
  scores: Partial<Omit<CandidateFile, "file">> = {},
): CandidateFile {
  return {
    file: { path: "a.ts", language: "typescript", role: "code", flags: 0, ...facts },
    score: 0,
    fileScore: 0,
    maxSimilarity: 0,
    pathTerms: 0,
    chunkCount: 1,
    scores: () => sharesFor(1),
    chunks: async () => [],
    ...scores,
  };
}
