import { expect, test } from "vitest";

import { codedLength, lengthCode, wholeLength } from "../../../src/index/coding/length-code.ts";

test("a length is decoded to within 2.2 %, and as a whole number exactly up to 22", () => {
  for (let length = 0; length <= 50_000; length += length < 100 ? 1 : 37) {
    const code = lengthCode(length);
    expect(Math.abs(codedLength(code) - length)).toBeLessThanOrEqual(length * 0.022);
    expect(wholeLength(code)).toBe(length <= 22 ? length : Math.round(codedLength(code)));
  }
});
