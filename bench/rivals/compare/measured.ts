// The form of docs/benchmarks.json.

export interface Figures {
  readonly tool: string;
  /** Wall clock, median; null for a tool without an index. */
  readonly indexMs: number | null;
  /** Processor time of all threads, median. */
  readonly indexCpuMs: number | null;
  readonly indexBytes: number | null;
  /** The peak of all processes together, while indexing or while answering, whichever is higher. */
  readonly peakBytes: number | null;
  /** A new process for each question, from its start to its end. */
  readonly startP50Ms: number;
  readonly startP95Ms: number;
  /** A running server; null if the tool has none. */
  readonly serverP50Ms: number | null;
  readonly serverP95Ms: number | null;
  /** Means over the questions, for the first ten files of each answer; reciprocal rank likewise. */
  readonly recall: number;
  readonly reciprocalRank: number;
  /** Share of the queries whose first file is right. */
  readonly first: number;
}

export interface CorpusFigures {
  readonly id: string;
  readonly github: string;
  readonly commit: string;
  readonly files: number;
  readonly bytes: number;
  readonly questions: number;
  readonly tools: readonly Figures[];
}

export interface Comparison {
  /** `2026-11-22`. */
  readonly date: string;
  readonly machine: string;
  /** The load average of the last minute: at the start, and at the end with the bench itself. */
  readonly load: readonly [start: number, end: number];
  readonly seconds: number;
  readonly tools: readonly {
    readonly name: string;
    readonly version: string;
    readonly form: string;
  }[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly corpora: readonly CorpusFigures[];
}
