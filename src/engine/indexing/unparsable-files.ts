// Files that are indexed without their grammar: what is noted of them, and when they are tried again.

import { productVersion } from "../../base/assets.ts";
import { isTransient, PARSE_PROBLEMS, type ParseProblem } from "../../parse/parse-problems.ts";
import type { FileRow } from "../../index/catalog/file-row.ts";

/** Those of one run. */
export class UnparsableFiles {
  #first: { readonly path: string; readonly reason: ParseProblem } | undefined;
  #count = 0;
  /** The next run has to look at a file, although nothing has changed. */
  hasTransient = false;

  /** What the file's row keeps of a problem. */
  note(path: string, reason: ParseProblem | undefined): Pick<FileRow, "problem"> {
    if (reason === undefined) return {};
    this.#first ??= { path, reason };
    this.#count += 1;
    this.hasTransient ||= isTransient(reason);
    return { problem: { reason, by: productVersion() } };
  }

  /** Whole sentences for people. */
  warnings(): readonly string[] {
    if (this.#first === undefined) return [];
    const { path, reason } = this.#first;
    const left = this.#count - 1;
    const others = left === 0 ? "" : ` So were ${left} more; see \`svc status --skipped\`.`;
    return [`"${path}" was indexed without its grammar: ${PARSE_PROBLEMS[reason]}${others}`];
  }
}

/** Whether the file was indexed without its grammar for a reason that may not hold any more. */
export function mayParseNow(known: FileRow | undefined): boolean {
  if (known?.problem === undefined) return false;
  return isTransient(known.problem.reason) || known.problem.by !== productVersion();
}
