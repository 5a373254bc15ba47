/**
 * Where a question is asked: of the corpus that it was written for; of that corpus without the files that answer it; of
 * another corpus in another or the same language; or of the one that `bench:quality --wrong` asks.
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
  /** `owner/name` that the question is about, and that it was asked of. */
  readonly repository: string;
  readonly askedOf: string;
  /** In the order of `CONFIDENCE_SIGNALS`. */
  readonly signals: readonly number[];
  /** Of the first files, best first. */
  readonly scores: readonly number[];
  /** For each of them 1 if it answers the question, 0 if not. */
  readonly right: readonly number[];
}
