import { expect, test } from "vitest";

import { clockProblems } from "../../scripts/check-test-clocks.ts";

/** The refused lines of a file, without the entries for files that are not there. */
function refused(text: string, file = "test/a.test.ts"): readonly string[] {
  return clockProblems(new Map([[file, text]])).filter((line) => !line.includes("reads no clock"));
}

test.each([
  "const from = performance.now();",
  "const from = process.hrtime.bigint();",
  "const before = process.threadCpuUsage();",
  "const before = process.cpuUsage();",
  "expect(Date.now() - started).toBe(3);",
  "expect(tookMs).toBeLessThan(limit);",
  "expect(run.tookMs).not.toBeGreaterThan(limit);",
  "expect(await bestInitializeMs(place, bus)).toBeLessThan(300);",
  "expect(waited).toBeLessThanOrEqual(PROMPT_MS);",
])("%s is refused", (line) => {
  expect(refused(`test("a", () => {\n  ${line}\n});\n`)).toEqual([`test/a.test.ts:2 ${line}`]);
});

test.each([
  "const later = Date.now() + 3_600_000;",
  "const old = new Date(Date.now() - 600_000);",
  "if (Date.now() >= expiresAt) throw new Error();",
  "await expect.poll(read, { timeout: 20_000 }).toBe(true);",
  "expect(items.length).toBeLessThan(3);",
  "vi.advanceTimersByTime(1000);",
])("%s is fine", (line) => {
  expect(refused(line)).toEqual([]);
});

test("an allowed file may read a clock, and one that no longer does is reported", () => {
  const file = "test/trust/soak.test.ts";
  expect(refused("const from = performance.now();", file)).toEqual([]);
  const stale = `${file} reads no clock: remove it from ALLOWED`;
  expect(clockProblems(new Map([[file, "const from = performance.now();"]]))).not.toContain(stale);
  expect(clockProblems(new Map([[file, "const from = 0;"]]))).toContain(stale);
});
