/**
 * The place where a question runs: its own corpus; its own corpus without the files that answer it; another corpus in
 * another or the same language; or the corpus of `bench:quality --wrong`.
 */
export type AskedKind =
  | "right"
  | "removed"
  | "wrong language"
  | "wrong project"
  | "wrong in the bench";

/** A question with its answer, as collect-confidence.ts writes them, one line of JSON each. */
export interface Asked {
  readonly suite: string;
  readonly kind: AskedKind;
  /** Whether only words were compared. */
  readonly withoutVectors: boolean;
  /** `owner/name` of the repository that the question is about, and of the queried one. */
  readonly repository: string;
  readonly askedOf: string;
  /** In the order of `CONFIDENCE_SIGNALS`. */
  readonly signals: readonly number[];
  /** Scores of the first files, best first. */
  readonly scores: readonly number[];
  /** For each of them 1 if it answers the question, 0 if not. */
  readonly right: readonly number[];
}
