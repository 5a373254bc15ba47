/**
 * A run may be ended at any moment, with the session that started it. Files that were read are committed when they are at
 * least so many, and a third of all that the run has read: no more than that is lost, and a long run makes few segments.
 */
const MIN_FILES_TO_COMMIT = 256;
const MIN_SHARE_TO_COMMIT = 1 / 3;
/** A busy machine reads fewer: then they are committed after this time, which doubles with each commit. */
const FIRST_COMMIT_INTERVAL_MS = 250;
const MAX_COMMIT_INTERVAL_MS = 8000;
/** A run over fewer files is one step: it is published whole, in one generation. */
const MIN_FILES_FOR_STEPS = 64;

/** When files that were read are committed, so that the run after this one does not read them again. */
export class CommitSchedule {
  readonly #hasSteps: boolean;
  #committed = 0;
  /** From the first file on: to load what reads files takes as long as many of them. */
  #since: number | undefined;
  #intervalMs = FIRST_COMMIT_INTERVAL_MS;

  /** `files`: how many the run has to read. */
  constructor(files: number) {
    this.#hasSteps = files >= MIN_FILES_FOR_STEPS;
  }

  /** `read`: how many files of this stage the run has read. */
  isDue(read: number): boolean {
    if (!this.#hasSteps) return false;
    const pending = read - this.#committed;
    if (pending >= Math.max(MIN_FILES_TO_COMMIT, read * MIN_SHARE_TO_COMMIT)) return true;
    const now = performance.now();
    this.#since ??= now;
    return now - this.#since >= this.#intervalMs;
  }

  committed(read: number): void {
    this.#committed = read;
    this.#intervalMs = Math.min(this.#intervalMs * 2, MAX_COMMIT_INTERVAL_MS);
    this.#since = performance.now();
  }
}
