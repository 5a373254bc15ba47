import { test, type TestContext } from "vitest";

import { REQUIREMENTS } from "./requirements.ts";

// Starting the program and building an index take seconds on a busy machine.
const TIMEOUT_MS = 60_000;

const known = new Set(REQUIREMENTS.map(({ id }) => id));

/**
 * A test that proves requirements of the interface document. Write the ids as literals:
 * coverage.test.ts finds them in the text of the test files.
 */
export function verifies(
  ids: string | readonly [string, ...string[]],
  title: string,
  prove: (context: TestContext) => Promise<void> | void,
): void {
  const cited = typeof ids === "string" ? [ids] : ids;
  const unknown = cited.find((id) => !known.has(id));
  if (unknown !== undefined) throw new Error(`requirements.ts has no "${unknown}"`);
  // oxlint-disable-next-line vitest/expect-expect -- the assertions are in `prove`.
  test(`${cited.join(", ")}: ${title}`, { timeout: TIMEOUT_MS }, prove);
}
