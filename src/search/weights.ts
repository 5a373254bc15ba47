// Every number that ranking uses. docs/ranking.md tells what each is for and how it was measured.

/** BM25 of a chunk's own text. */
export const BODY = { k1: 1.4, b: 0.75 } as const;
/** BM25 of the names that a chunk defines: short, so that length matters much. */
export const NAMES = { k1: 1.2, b: 0.7 } as const;
/** BM25 of whole files. */
export const FILE = { k1: 2, b: 0.6 } as const;

/** A defined name counts like this many words of the file's text, a word of its path likewise. */
export const FILE_TERMS = { names: 2, path: 4, cap: 24 } as const;

/** Shares of the blended score, each part first divided by its largest value. */
export const BLEND = { body: 0.45, names: 0.27, file: 0.55 } as const;

/** Added when the question names what is defined here, or the file. */
export const BONUS = {
  identifierDefined: 0.4,
  wordDefined: 0.06,
  identifierIsFile: 0.3,
  wordIsFile: 0.15,
  pathNamed: 1.5,
} as const;

/** Factors by what a file is for, unless the question asks for that. */
export const PRIOR = {
  tests: 0.4,
  docsAmongCode: 0.45,
  config: 0.5,
  example: 0.5,
  vendored: 0.5,
  generated: 0.6,
  changelog: 0.6,
  /** `.d.ts`: says again, in one long file, what the code says in its places. */
  declarations: 0.5,
} as const;

/** Documentation is not put back where most of the files are documentation. */
export const CODE_SHARE = 0.3;

/** Files that are looked at closely, by their blended score. */
export const CLOSE_LOOK = 200;
