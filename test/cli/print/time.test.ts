import { expect, test } from "vitest";

import { isoTime, shortTime } from "../../../src/cli/print/time.ts";

test("times are in UTC: whole for JSON, to the minute for tables", () => {
  const ms = Date.UTC(2026, 1, 3, 4, 5, 59, 999);
  expect([isoTime(ms), shortTime(ms)]).toEqual(["2026-02-03T04:05:59.999Z", "2026-02-03 04:05Z"]);
  expect(shortTime(undefined)).toBe("-");
});
