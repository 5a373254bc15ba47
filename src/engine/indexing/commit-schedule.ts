/** A run with fewer files is one step: it is published whole, in one generation. */
const MIN_FILES_FOR_STEPS = 64;
/** Files before the first commit. The step doubles with each commit, so that a slow run progresses as well. */
const FIRST_STEP_FILES = 16;
const MAX_STEP_FILES = 256;
/** A document takes as long as hundreds of other files. */
const FIRST_STEP_DOCUMENTS = 4;
/** Minimum share of the files read so far in a commit, so that a long run makes few segments. */
const MIN_STEP_SHARE = 1 / 3;

/**
 * Decides when a run commits the files that it has read. A run may end at any moment, with the session that started
 * it, and the next run continues after the last commit. Counts files and no time: the same files give the same segments.
 */
export class CommitSchedule {
  readonly #hasSteps: boolean;
  #committed = 0;
  #stepFiles: number;

  /** `files`: the number of files, or documents, that the run has to read. */
  constructor(files: number, kind: "files" | "documents" = "files") {
    const isFiles = kind === "files";
    this.#stepFiles = isFiles ? FIRST_STEP_FILES : FIRST_STEP_DOCUMENTS;
    this.#hasSteps = !isFiles || files >= MIN_FILES_FOR_STEPS;
  }

  /** `read`: the number of files of this stage that the run has read. */
  isDue(read: number): boolean {
    const pending = read - this.#committed;
    return this.#hasSteps && pending >= Math.max(this.#stepFiles, read * MIN_STEP_SHARE);
  }

  /** Call this after each commit. */
  committed(read: number): void {
    this.#committed = read;
    this.#stepFiles = Math.min(this.#stepFiles * 2, MAX_STEP_FILES);
  }
}
