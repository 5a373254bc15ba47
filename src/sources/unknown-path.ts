import { SvcError } from "../base/errors.ts";

/** What was requested, and what may be meant. */
export interface PathProblem {
  /** What was looked for: `file`, or `file or folder`. */
  readonly what: "file" | "file or folder";
  /** As requested. */
  readonly path: string;
  /** Paths of the index that may be meant instead. */
  readonly nearest: readonly string[];
  /** Whether those have a similar name, or are only in the same folder. */
  readonly isAlike: boolean;
}

/** No file or folder of the index has the requested path. */
export class UnknownPath extends SvcError {
  /** For callers that have other paths. */
  readonly problem: PathProblem;

  constructor(problem: PathProblem) {
    const { what, path, nearest, isAlike } = problem;
    const list = nearest.join(", ");
    super("PATH_NOT_FOUND", `No ${what} "${path}".`, {
      hint:
        nearest.length === 0
          ? "Paths are relative to the source root, with `/`; `outline` lists them."
          : isAlike
            ? `Nearest: ${list}.`
            : `In the same folder: ${list}.`,
    });
    this.problem = problem;
  }

  /** The same error for a caller that has other paths; `path` is what it has requested. */
  withPaths(shown: (path: string) => string, path = shown(this.problem.path)): UnknownPath {
    return new UnknownPath({ ...this.problem, path, nearest: this.problem.nearest.map(shown) });
  }
}
