import { eraOf } from "./era.ts";
import { isObject } from "./message.ts";
import { allowsBatches, STATELESS_VERSIONS } from "./negotiate.ts";

/** Bounds the one array in which the replies to a batch are held back. */
const MAX_BATCH = 1000;

/** Why an array of messages is refused as a whole; undefined when it is not. */
export function problemWithBatch(
  batch: readonly unknown[],
  version: string | undefined,
): string | undefined {
  if (!allowsBatches(version)) return `Protocol version ${version} has no batches.`;
  if (batch.length === 0) return "A batch holds at least one message.";
  if (batch.length > MAX_BATCH) return `A batch holds at most ${MAX_BATCH} messages.`;
  if (batch.some((value) => isObject(value) && eraOf(value["params"]) === "modern")) {
    return `Protocol version ${STATELESS_VERSIONS[0]} has no batches.`;
  }
  return undefined;
}
