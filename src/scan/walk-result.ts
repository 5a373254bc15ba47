// The result of a walk.

import type { SkipReason } from "./skip-reasons.ts";

/** A file to index. */
export interface FileRecord {
  /** Relative to the root, with `/`; decoded as in base/path-bytes.ts. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970 with a fraction. Two times less than 0.25 µs apart may have the same number. */
  readonly mtimeMs: number;
  /** Exact up to 2^53. Larger ones, which few file systems have, may share a number with their neighbours. */
  readonly inode: number;
}

/** A file or folder that is not indexed, other than by ignore rules. */
export interface SkippedFile {
  /** See FileRecord. */
  readonly path: string;
  readonly reason: SkipReason;
}

/** Numbers of ignored entries by source of the rule. A directory counts once, whatever it contains. */
export interface IgnoredCounts {
  readonly git: number;
  /** Ignored by .svcignore and .ignore. */
  readonly svc: number;
  /** Ignored by `include` and `exclude`, or by the settings of the project. */
  readonly options: number;
}

/** Result of a walk. */
export interface WalkResult {
  /** Sorted by path, in code unit order. */
  readonly files: readonly FileRecord[];
  readonly skipped: readonly SkippedFile[];
  readonly ignored: IgnoredCounts;
  /**
   * False if `signal` or a fault of the machine ended the walk or made it skip a directory. Then a file that is
   * not listed may still exist.
   */
  readonly complete: boolean;
  /** The requested folders that exist and are not ignored. */
  readonly listed: ReadonlySet<string>;
  /** Full sentences for people. */
  readonly warnings: readonly string[];
}
