import { expect, test } from "vitest";

import { versionRange } from "../../../src/tools/monitoring/version-range.ts";

test.each([
  ["v1", { since: "v1", at: undefined }],
  ["v1..v2", { since: "v1", at: "v2" }],
  ["v1.2..", { since: "v1.2", at: "HEAD" }],
])("%s", (text, expected) => {
  expect(versionRange(text)).toEqual(expected);
});

test.each([undefined, "", "..v2", "v1...v2", "a..b..c"])("%s names no versions", (text) => {
  expect(() => versionRange(text)).toThrow(/old version/);
});
