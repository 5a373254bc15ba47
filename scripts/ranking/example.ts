import type { Role } from "../../src/index/types.ts";

/** A query with the features of its candidates, as collect.ts writes them, one line of JSON each. */
export interface Example {
  readonly id: string;
  readonly suite: string;
  readonly language: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly query: string;
  /** Whether documentation takes turns with other files. */
  readonly asksHow: boolean;
  /** Grades of all files that answer, candidates or not. */
  readonly grades: readonly number[];
  /** True if the right lines are known. */
  readonly hasLines: boolean;
  readonly candidates: readonly ExampleFile[];
}

export interface ExampleFile {
  readonly path: string;
  readonly role: Role;
  /** Its grade; 0 for a file that does not answer. */
  readonly gain: number;
  /** Features before and after those of the best chunk, in the order of `RANKING_FEATURES`. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly chunks: readonly ExampleChunk[];
}

export interface ExampleChunk {
  readonly startLine: number;
  /** True if it contains lines that answer. */
  readonly answers: boolean;
  /** In the order of `CHUNK_FEATURES`. */
  readonly features: readonly number[];
}
