import { expect, test } from "vitest";

import { allowsBatches, isStateless, KNOWN_VERSIONS, negotiate } from "../../src/mcp/negotiate.ts";

test.each([
  [undefined, "2024-11-05"],
  ["2024-11-05", "2024-11-05"],
  ["2025-03-26", "2025-03-26"],
  ["2025-06-18", "2025-06-18"],
  ["2025-11-25", "2025-11-25"],
  ["1999-01-01", "2025-11-25"],
  // Versions without a handshake are not negotiated.
  ["2026-07-28", "2025-11-25"],
])("a client that requests %j gets %j", (requested, version) => {
  expect(negotiate(requested)).toBe(version);
});

test.each([null, 7, {}, ["2025-06-18"]])("%j is no version", (requested) => {
  expect(() => negotiate(requested)).toThrow("protocolVersion must be a string");
});

test("one version has batches, one has no handshake, and all are known", () => {
  expect(KNOWN_VERSIONS.filter((version) => allowsBatches(version))).toEqual(["2025-03-26"]);
  expect(allowsBatches(undefined)).toBe(true);
  expect(KNOWN_VERSIONS.filter(isStateless)).toEqual(["2026-07-28"]);
});
