/** The sources that a test covers in addition to the source of its own name. */
export interface Cover {
  /** Why the sources have no test of their own. */
  readonly why: string;
  /** Paths of sources; `{a,b}` stands for each of its names. */
  readonly covers: readonly string[];
}
