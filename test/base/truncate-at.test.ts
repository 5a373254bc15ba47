import * as fc from "fast-check";
import { expect, test } from "vitest";

import { truncateAt } from "../../src/base/truncate-at.ts";
import { anyText } from "../helpers/any-text.ts";

test("no pair of surrogates is cut, and nothing else is lost", () => {
  expect([truncateAt("a🙂b", 1), truncateAt("a🙂b", 2), truncateAt("a🙂b", 3)]).toEqual([
    "a",
    "a",
    "a🙂",
  ]);
  fc.assert(
    fc.property(anyText(), fc.nat(20), (text, length) => {
      const cut = truncateAt(text, length);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(length, text.length) - 1);
      expect(cut.length).toBeLessThanOrEqual(length);
    }),
  );
});
