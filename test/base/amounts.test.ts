import { expect, test } from "vitest";

import { counted, sizeText } from "../../src/base/amounts.ts";

test("a number has its noun in the singular or plural, and groups of digits", () => {
  expect(counted(0, "file")).toBe("0 files");
  expect(counted(1, "file")).toBe("1 file");
  expect(counted(12_000, "file")).toBe("12,000 files");
  expect(counted(2, "index", "indexes")).toBe("2 indexes");
});

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [8400, "8.4 kB"],
  [61_500_000, "61.5 MB"],
  [1_200_000_000, "1.2 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
