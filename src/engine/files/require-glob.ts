import { SvcError } from "../../base/errors.ts";
import { compileGlob, toBinary, type Glob } from "../../scan/glob.ts";
import type { IndexRequest } from "../api/index-source.ts";

/** A part `..`, in whatever way it is escaped. Windows users write a backslash after it. */
const PARENT_PART = /(?:^|\/)\\?\.\\?\.(?=$|[\\/])/;

/** Globs that one glob with braces may become. */
const MAX_ALTERNATIVES = 64;
/** The first innermost pair of braces with a comma in it. */
const BRACES = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s;

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

/** Throws INVALID_PARAMS for a glob in `include` or `exclude` that is malformed, or no rule in an ignore file. */
export function requireGlobs({
  include = [],
  exclude = [],
}: Pick<IndexRequest, "include" | "exclude">): void {
  for (const [argument, globs] of Object.entries({ include, exclude })) {
    for (const glob of globs) {
      if (/^(?:#|\s*$)/.test(glob)) {
        throw new SvcError(
          "INVALID_PARAMS",
          `${argument}: "${glob}" is a comment or blank in an ignore file.`,
          {
            hint: 'A backslash makes "#" part of a name: "\\#".',
          },
        );
      }
      requireGlob(argument, glob.replace(/^!/, "").replace(/\/+$/, ""), glob);
    }
  }
}

/** Expands the braces of a glob, up to about 64 globs, since each pair of braces can double them. */
export function globAlternatives(glob: string): readonly string[] {
  let readings = [glob];
  while (readings.length < MAX_ALTERNATIVES) {
    const at = readings.findIndex((one) => BRACES.test(one));
    const braces = BRACES.exec(readings[at] ?? "");
    if (braces === null) break;
    const [, before = "", inside = "", after = ""] = braces;
    readings = readings.toSpliced(
      at,
      1,
      ...inside.split(",").map((one) => `${before}${one}${after}`),
    );
  }
  return readings;
}
