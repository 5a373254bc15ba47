// The order of the examples in training.
import { permutation, type Random } from "./random.ts";

/** Number of examples of one package in a block. */
const BLOCK_SIZE = 64;
/** The minimum number of examples for a batch. */
export const MIN_BATCH_SIZE = BLOCK_SIZE;
const MAX_BATCH_SIZE = 1024;
/** A small corpus gets smaller batches rather than fewer steps than this in an epoch. */
const MIN_STEPS = 40;

/** Number of examples that one step distinguishes from each other: whole blocks. */
export function batchSizeFor(examples: number): number {
  const blocks = Math.floor(examples / MIN_STEPS / BLOCK_SIZE);
  return Math.min(MAX_BATCH_SIZE, Math.max(1, blocks) * BLOCK_SIZE);
}

/**
 * The batches of one epoch, each of `size` examples by number. Each batch has blocks of one package:
 * examples of the same package are the hardest to distinguish, so they teach the most. The rest after
 * the last whole batch is a different part in every epoch.
 */
export function* batches(
  packages: Int32Array,
  size: number,
  random: Random,
): Generator<Int32Array, void> {
  // The sort is stable: in each package the order stays random.
  const order = permutation(packages.length, random).toSorted(
    (one, other) => (packages[one] ?? 0) - (packages[other] ?? 0),
  );
  const blocks = permutation(Math.floor(order.length / BLOCK_SIZE), random);
  const perBatch = size / BLOCK_SIZE;
  for (let first = 0; first + perBatch <= blocks.length; first += perBatch) {
    const batch = new Int32Array(size);
    for (let index = 0; index < perBatch; index += 1) {
      const start = (blocks[first + index] ?? 0) * BLOCK_SIZE;
      batch.set(order.subarray(start, start + BLOCK_SIZE), index * BLOCK_SIZE);
    }
    yield batch;
  }
}
