// The two versions that a comparison of public definitions is about.

import { SvcError } from "../../base/errors.ts";

/** Two versions: `at` is undefined for the files as they are. */
export interface VersionRange {
  readonly since: string;
  readonly at: string | undefined;
}

/** Reads `A`, `A..B` and, for HEAD, `A..`. Throws INVALID_PARAMS for anything else. */
export function versionRange(text: string | undefined): VersionRange {
  const [since = "", at, ...more] = (text ?? "").split("..");
  if (since !== "" && more.length === 0 && at?.startsWith(".") !== true)
    return { since, at: at === "" ? "HEAD" : at };
  throw new SvcError("INVALID_PARAMS", "since: it names the old version, or both.", {
    hint: "Give a commit, branch or tag: v1.2.0, or v1.2.0..v2.0.0.",
  });
}
