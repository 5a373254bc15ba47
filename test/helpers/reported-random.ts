// Random numbers that differ in each run, from a seed that a failed test prints.
import { randomUUID } from "node:crypto";

import { onTestFailed } from "vitest";

import { seededRandom, type Random } from "../../bench/quality/random.ts";

/** SVC_SEED repeats the numbers of another run. */
const SEED = process.env["SVC_SEED"] ?? randomUUID();

/**
 * Numbers from 0 up to, but not including, 1, for one purpose of the current test; another purpose gets other numbers.
 */
export function reportedRandom(purpose: string): Random {
  onTestFailed(
    () => void process.stderr.write(`The random numbers of this test: SVC_SEED=${SEED}\n`),
  );
  return seededRandom(`${SEED} ${purpose}`);
}
