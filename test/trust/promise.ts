import { expect, test, type TestContext } from "vitest";

/** How much of a promise is tested: in every run of the tests, by `npm run test:trust`, by its `--soak`. */
export type Size = "quick" | "full" | "soak";

/** What a test marked by `promise` stores in its task's `meta`, for the table of `npm run test:trust`. */
export interface Promised {
  /** Numbers of the list of trust tests. */
  readonly ids: readonly number[];
  readonly promise: string;
  /** How many cases were tried; unset while the test has not passed. */
  cases?: number;
}

declare module "vitest" {
  interface TaskMeta {
    promised?: Promised;
  }
}

const SIZES: readonly Size[] = ["quick", "full", "soak"];
const TIMEOUT_MS: Readonly<Record<Size, number>> = {
  quick: 240_000,
  full: 600_000,
  soak: 7_200_000,
};

/** From `SVC_TRUST`, which the scripts set. */
export function trustSize(): Size {
  const named = process.env["SVC_TRUST"] ?? "quick";
  const size = SIZES.find((each) => each === named);
  if (size === undefined) throw new Error(`SVC_TRUST is one of ${SIZES.join(", ")}: ${named}`);
  return size;
}

/** The value for the current size; sizes that `soak` omits are as in `full`. */
export function sized(counts: { quick: number; full: number; soak?: number }): number {
  const size = trustSize();
  return size === "soak" ? (counts.soak ?? counts.full) : counts[size];
}

/**
 * A test of a promise in SECURITY.md or docs/reliability.md. `prove` throws at the first
 * breach and returns the number of cases it tried: the same test is quick in every run and long
 * in `npm run test:trust`, which prints promise, cases and failures.
 *
 * @param ids Numbers of the list of trust tests that it proves.
 * @param text The promise, in the words of a user.
 * @param timeoutMs For a test that takes longer than its size allows.
 */
export function promise(
  ids: readonly [number, ...number[]],
  text: string,
  prove: () => Promise<number> | number,
  timeoutMs = 0,
): void {
  // oxlint-disable-next-line vitest/expect-expect -- the assertions are in `prove`.
  test(
    `promise ${ids.join(", ")}: ${text}`,
    { timeout: Math.max(timeoutMs, TIMEOUT_MS[trustSize()]) },
    promised(ids, text, prove),
  );
}

/** The same as the body of a test with another mark, such as `verifies`. */
export function promised(
  ids: readonly [number, ...number[]],
  text: string,
  prove: () => Promise<number> | number,
): (context: TestContext) => Promise<void> {
  return async ({ task }) => {
    const mark: Promised = { ids, promise: text };
    task.meta.promised = mark;
    const cases = await prove();
    expect(cases).toBeGreaterThan(0);
    mark.cases = cases;
  };
}
