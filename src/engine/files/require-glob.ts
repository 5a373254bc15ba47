import { SvcError } from "../../base/errors.ts";
import { compileGlob, toBinary, type Glob } from "../../scan/glob.ts";
import type { IndexRequest } from "../engine.ts";

/**
 * Compiles a glob without `!` and braces. Throws INVALID_PARAMS for a malformed one; `shown` is the glob as the caller
 * wrote it.
 */
export function requireGlob(argument: string, glob: string, shown = glob): Glob {
  const compiled = compileGlob(toBinary(glob));
  if (compiled !== undefined) return compiled;
  const problem = glob.endsWith("\\") ? "ends in a backslash" : 'has a "[" that is not closed';
  throw new SvcError("INVALID_PARAMS", `${argument}: the glob "${shown}" ${problem}.`, {
    hint: 'A backslash makes the next character literal: "\\[".',
  });
}

/** Throws INVALID_PARAMS for a malformed glob in `include` or `exclude`. */
export function requireGlobs({
  include = [],
  exclude = [],
}: Pick<IndexRequest, "include" | "exclude">): void {
  for (const [argument, globs] of Object.entries({ include, exclude })) {
    for (const glob of globs) {
      requireGlob(argument, glob.replace(/^!/, "").replace(/\/+$/, ""), glob);
    }
  }
}
