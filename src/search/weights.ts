// Every number of ranking that is not learned. docs/ranking.md tells what each is for and how it was measured.

/** BM25 of a chunk's own text. */
export const BODY_BM25 = { k1: 1.4, b: 0.75 } as const;
/** BM25 of the names that a chunk defines: short, so that length matters much. */
export const NAMES_BM25 = { k1: 1.2, b: 0.7 } as const;
/** BM25 of whole files. */
export const FILE_BM25 = { k1: 2, b: 0.6 } as const;

/** A defined name counts like this many words of the file's text, a word of its path likewise. */
export const FILE_TERM_COUNTS = { names: 2, path: 4, cap: 24 } as const;

/** Shares of the first score, each part first divided by its largest value. */
export const BLEND = { body: 0.45, names: 0.27, file: 0.55, similarity: 0.5 } as const;

/** Factors of the first score by what a file is for, unless the question asks for that. */
export const PRIOR = {
  tests: 0.5,
  docsAmongCode: 0.55,
  config: 0.6,
  example: 0.6,
  vendored: 0.6,
  generated: 0.7,
  /** `.d.ts`: says again, in one long file, what the code says in its places. */
  declarations: 0.6,
  pathNamed: 4,
} as const;

/** Documentation is not put back where most of the files are documentation. */
export const MIN_CODE_SHARE = 0.3;

/** A chunk whose cosine with the question is less is not near. */
export const MIN_SIMILARITY = 0.36;

/** A file that holds so much of a question answers it, near in meaning or not. */
export const MIN_COVERAGE = 0.6;
/** Without a word of the question a file is no answer when its nearest chunk's cosine is less. */
export const MIN_SIMILARITY_WITHOUT_TERMS = 0.2;

/** Files that the index gives by their first score … */
export const CANDIDATE_DEPTH = 200;
/** … and those of them that are looked at closely. */
export const RERANK_DEPTH = 40;
/** Chunks of a file that are looked at closely. */
export const RERANKED_CHUNKS = 6;

/** Chunks of one file that an answer shows. */
export const MAX_CHUNKS_PER_FILE = 4;
/** One that is further behind the file's best is not shown. */
export const MAX_SCORE_GAP = 4;
/** What a chunk's score is behind that of its file's best chunk counts so much beside scores of files. */
export const SCORE_GAP_WEIGHT = 1;
