// Every constant of ranking that is not learned. docs/ranking.md gives the purpose of each and how it was measured.

/** BM25 of a chunk's own text. k1: term saturation; b: length normalization. */
export const BODY_BM25 = { k1: 1.4, b: 0.75 } as const;
/** BM25 of the names that a chunk defines. They are short, so length matters much. */
export const NAMES_BM25 = { k1: 1.2, b: 0.7 } as const;
/** BM25 of whole files. */
export const FILE_BM25 = { k1: 2, b: 0.6 } as const;

/** A defined name counts as this many words of the file's text; a word of its path likewise. */
export const FILE_TERM_COUNTS = { names: 2, path: 4, cap: 24 } as const;

/** Weights of the parts of the first score; each part is divided by its maximum first. */
export const BLEND = { body: 0.45, names: 0.27, file: 0.55, similarity: 0.5 } as const;

/**
 * Scoring of commits: a message and the lines that it changed are two chunks of one document. The names of a message are
 * its subject.
 */
export const COMMIT_WEIGHTS = {
  body: BODY_BM25,
  names: NAMES_BM25,
  file: FILE_BM25,
  fileTerms: { names: 2, path: 0, cap: 24 },
  blend: { body: 0.6, names: 0.5, file: 0.3, similarity: 0 },
} as const;

/** Factors of the first score by the file's role, unless the query asks for that role. */
export const PRIOR = {
  tests: 0.5,
  docsAmongCode: 0.55,
  config: 0.6,
  example: 0.6,
  vendored: 0.6,
  generated: 0.7,
  /** `.d.ts`: repeats in one long file what the code contains in many. */
  declarations: 0.6,
  pathNamed: 4,
} as const;

/** Documentation is demoted only if at least this share of the files is code. */
export const MIN_CODE_SHARE = 0.3;

/**
 * Sum of the mean rarity and typicality of the words: where a query begins to be unfamiliar, and where it is fully
 * unfamiliar.
 */
export const UNFAMILIAR = { from: 15, to: 18 } as const;
/** The same for the number of words: a query of few words names something. */
export const TOPIC_WORDS = { from: 3, to: 7 } as const;

/**
 * In projects of mostly prose, each of the first SUPPORTED_DEPTH files gains from its NEIGHBOURS nearest files among
 * them. Each neighbour adds its score above the mean, times its similarity and NEIGHBOUR_WEIGHT. A neighbour adds at
 * most MAX_NEIGHBOUR_SHARE of that score; the share is below 1, so a copy does not overtake its original. A query of
 * NEIGHBOUR_WORDS.from or fewer words names something, and only the file itself counts.
 */
export const SUPPORTED_DEPTH = 16;
export const NEIGHBOURS = 4;
export const NEIGHBOUR_WEIGHT = 2.5;
export const MAX_NEIGHBOUR_SHARE = 0.9;
export const NEIGHBOUR_WORDS = { from: 4, to: 10 } as const;

/** A file without a query term is not a result if its best chunk has a lower cosine. */
export const MIN_SIMILARITY_WITHOUT_TERMS = 0.2;

/** Number of files that the index returns by first score. */
export const CANDIDATE_DEPTH = 200;
/** Number of those files that are reranked. */
export const RERANK_DEPTH = 40;
/** Number of chunks per file that are reranked. */
export const RERANKED_CHUNKS = 6;
/** The same for documents: the pages of a manual are much alike. */
export const RERANKED_DOCUMENT_CHUNKS = 12;

/** Maximum number of chunks of one file in an answer. */
export const MAX_CHUNKS_PER_FILE = 4;
/** A chunk whose score is lower than the file's best by more than this is not shown. */
export const MAX_SCORE_GAP = 4;
/** Factor of the gap between a chunk's score and its file's best, when compared with scores of files. */
export const SCORE_GAP_WEIGHT = 1;
