// Files indexed without their grammar: the recorded reason, and when they are parsed again.

import { productVersion } from "../../base/assets.ts";
import { isTransient, PARSE_PROBLEMS, type ParseProblem } from "../../parse/parse-problems.ts";
import type { FileRow } from "../../index/types.ts";

/** The unparsable files of one run. */
export class UnparsableFiles {
  #first: { readonly path: string; readonly reason: ParseProblem } | undefined;
  #count = 0;
  /** True when the next run must parse a file again although it is unchanged. */
  hasTransient = false;

  /** Counts a problem and returns the fields for the file's row. */
  note(path: string, reason: ParseProblem | undefined): Pick<FileRow, "problem"> {
    if (reason === undefined) return {};
    this.#first ??= { path, reason };
    this.#count += 1;
    this.hasTransient ||= isTransient(reason);
    return { problem: { reason, by: productVersion() } };
  }

  /** Warnings as full sentences. */
  warnings(): readonly string[] {
    if (this.#first === undefined) return [];
    const { path, reason } = this.#first;
    const otherCount = this.#count - 1;
    const others =
      otherCount === 0 ? "" : ` So were ${otherCount} more; see \`svc status --skipped\`.`;
    return [`"${path}" was indexed without its grammar: ${PARSE_PROBLEMS[reason]}${others}`];
  }
}

/** Whether a file indexed without its grammar should be parsed again, because the reason may have disappeared. */
export function mayParseNow(known: FileRow | undefined): boolean {
  if (known?.problem === undefined) return false;
  return isTransient(known.problem.reason) || known.problem.by !== productVersion();
}
