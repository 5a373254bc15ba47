import * as fc from "fast-check";
import { expect, test } from "vitest";

import { groupedDigits } from "../../src/base/grouped-digits.ts";

test("whole numbers have the form of English", () => {
  const number = fc.oneof(fc.nat(), fc.integer({ min: -1_000_000, max: 2 ** 52 }));
  fc.assert(
    fc.property(number, (value) => {
      expect(groupedDigits(value)).toBe(value.toLocaleString("en"));
    }),
  );
});
