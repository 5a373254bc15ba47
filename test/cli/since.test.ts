import { expect, test } from "vitest";

import { timeOf } from "../../src/cli/since.ts";

const NOW = new Date("2026-03-10T12:34:56.000Z");

test.each([
  ["30s", "2026-03-10T12:34:26.000Z"],
  ["90min", "2026-03-10T11:04:56.000Z"],
  ["2h", "2026-03-10T10:34:56.000Z"],
  ["2d", "2026-03-08T12:34:56.000Z"],
  ["1w", "2026-03-03T12:34:56.000Z"],
  // A time, a generation, a commit.
  ["2026-01-31", "2026-01-31"],
  ["42", "42"],
  ["main", "main"],
  ["2days", "2days"],
])("%s is %s", (text, time) => {
  expect(timeOf(text, NOW)).toBe(time);
});

test("days begin at midnight, local time", () => {
  const today = new Date(2026, 2, 10);
  expect(timeOf("today", new Date(2026, 2, 10, 9, 30))).toBe(today.toISOString());
  const yesterday = new Date(2026, 2, 9);
  expect(timeOf("yesterday", new Date(2026, 2, 10, 0, 0))).toBe(yesterday.toISOString());
});
