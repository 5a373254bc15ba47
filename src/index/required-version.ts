import { SvcError } from "../base/errors.ts";
import type { IndexVersion } from "./port.ts";

/** Throws INDEX_UNAVAILABLE if a version is of another epoch or older than `atLeast`. */
export function requireVersion(version: IndexVersion, atLeast: IndexVersion | undefined): void {
  if (atLeast === undefined) return;
  if (version.epoch === atLeast.epoch && version.at >= atLeast.at) return;
  throw new SvcError("INDEX_UNAVAILABLE", "The index is older than the requested version.", {
    hint: "It was rebuilt in the meantime; repeat the call without a version.",
  });
}
