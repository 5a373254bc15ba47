import { eraOf } from "./era.ts";
import { isObject } from "./message.ts";
import { allowsBatches, STATELESS_VERSIONS } from "./negotiate.ts";

/** Limits the array that collects the replies to a batch. */
const MAX_BATCH = 1000;

/** Why the whole batch is refused; undefined for a valid one. */
export function problemWithBatch(
  batch: readonly unknown[],
  version: string | undefined,
): string | undefined {
  if (!allowsBatches(version)) return `Protocol version ${version} does not support batches.`;
  if (batch.length === 0) return "A batch must have at least one message.";
  if (batch.length > MAX_BATCH) return `A batch can have up to ${MAX_BATCH} messages.`;
  if (batch.some((value) => isObject(value) && eraOf(value["params"]) === "modern")) {
    return `Protocol version ${STATELESS_VERSIONS[0]} does not support batches.`;
  }
  return undefined;
}
