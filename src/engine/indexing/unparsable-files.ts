// Files indexed in part: without their grammar, or documents of which a part was left out. The recorded reason, and when
// they are read again.

import { productVersion } from "../../base/assets.ts";
import { isTransient, PARSE_PROBLEMS, type ParseProblem } from "../../parse/parse-problems.ts";
import type { FileRow } from "../../index/types.ts";

interface FirstFile {
  readonly path: string;
  readonly reason: ParseProblem;
  /** Number of files like it. */
  count: number;
}

/** The unparsable files of one run. */
export class UnparsableFiles {
  #unparsed: FirstFile | undefined;
  #partial: FirstFile | undefined;
  /** True when the next run must parse a file again although it is unchanged. */
  hasTransient = false;

  /** Counts a problem and returns the fields for the file's row. */
  note(path: string, reason: ParseProblem | undefined): Pick<FileRow, "problem"> {
    if (reason === undefined) return {};
    if (reason === "document-partial") {
      this.#partial ??= { path, reason, count: 0 };
      this.#partial.count += 1;
    } else {
      this.#unparsed ??= { path, reason, count: 0 };
      this.#unparsed.count += 1;
    }
    this.hasTransient ||= isTransient(reason);
    return { problem: { reason, by: productVersion() } };
  }

  /** Warnings as full sentences. */
  warnings(): readonly string[] {
    const [unparsed, partial] = [this.#unparsed, this.#partial];
    return [
      ...(unparsed === undefined
        ? []
        : [
            `"${unparsed.path}" was indexed without its grammar: ${PARSE_PROBLEMS[unparsed.reason]}${others(unparsed)}`,
          ]),
      ...(partial === undefined
        ? []
        : [`A part of "${partial.path}" was left out.${others(partial)}`]),
    ];
  }
}

function others({ count }: FirstFile): string {
  return count === 1 ? "" : ` So were ${count - 1} more; see \`svc status --skipped\`.`;
}

/** Whether a file indexed without its grammar should be parsed again, because the reason may have disappeared. */
export function mayParseNow(known: FileRow | undefined): boolean {
  if (known?.problem === undefined) return false;
  return isTransient(known.problem.reason) || known.problem.by !== productVersion();
}
