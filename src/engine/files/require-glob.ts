import { SvcError } from "../../base/errors.ts";
import { compileGlob, toBinary, type Glob } from "../../scan/glob.ts";
import type { IndexRequest } from "../api/index-source.ts";

/** A part `..`, in whatever way it is escaped. Windows users write a backslash after it. */
const PARENT_PART = /(?:^|\/)\\?\.\\?\.(?=$|[\\/])/;

/**
 * Compiles a glob without `!` and braces. Throws INVALID_PARAMS for a malformed one; `shown` is the glob as the caller
 * wrote it.
 */
export function requireGlob(argument: string, glob: string, shown = glob): Glob {
  if (PARENT_PART.test(glob)) {
    // Without an error it would match nothing, and the answer would look like "there is no such file".
    throw new SvcError(
      "PATH_OUTSIDE_SOURCE",
      `${argument}: the glob "${shown}" leads out of the source.`,
      {
        hint: 'Globs are relative to the root of the source: write it without "..", such as "src/**". For files elsewhere, index that folder and name its namespace.',
      },
    );
  }
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
