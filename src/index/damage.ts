import { SvcError, toSvcError } from "../base/errors.ts";
import type { SectionName } from "./format.ts";

const HINT = "Run `svc index --rebuild`.";

export function damagedSection(name: SectionName): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The ${name} section of the index is damaged.`, {
    hint: HINT,
  });
}

export function damagedFile(name: string, cause?: unknown): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The index file ${name} is damaged.`, {
    hint: HINT,
    cause,
  });
}

export function otherFormat(name: string): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The index file ${name} has another format.`, {
    hint: HINT,
  });
}

/** What the file system refused, as an error that says how to mend it: STORAGE_FULL or INDEX_UNAVAILABLE. */
export function refused(what: string, cause: unknown): SvcError {
  const error = toSvcError(cause);
  if (error.code !== "INTERNAL_ERROR") return error;
  return new SvcError("INDEX_UNAVAILABLE", `${what}.`, {
    hint: "See that svc may use its data folder (SERVICE_HOME) and that the disk works.",
    cause,
  });
}
