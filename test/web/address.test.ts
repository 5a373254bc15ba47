import { expect, test } from "vitest";

import { readAddress, writeAddress, type Address } from "../../src/web/address.ts";

const NOTHING = { query: "", language: "", kinds: [], path: "", namespace: "" } as const;

test.each<[string, Address]>([
  ["a question", { searchQuery: { ...NOTHING, query: "where? #1 & 50% + ü" }, at: undefined }],
  [
    "filters and a line",
    {
      searchQuery: {
        query: "tide",
        language: "c",
        kinds: ["code", "docs"],
        path: "src/**/*.{c,h}",
        namespace: "docs",
      },
      at: { path: "src/odd:name & so on.c", line: 12 },
    },
  ],
])("%s is parsed as it was written", (_what, address) => {
  expect(readAddress(writeAddress(address))).toEqual(address);
});

test("a line is written as in an editor", () => {
  const address = { searchQuery: { ...NOTHING, query: "x y" }, at: { path: "src/a.ts", line: 7 } };
  expect(writeAddress(address)).toBe("#q=x+y&at=src/a.ts:7");
});

test.each(["#at=a.ts", "#at=a.ts:0", "#at=:3", "#at=a.ts:1e9", "#kind=prose&kind=__proto__", ""])(
  "invalid parts of %j are ignored",
  (fragment) => {
    expect(readAddress(fragment)).toEqual({ searchQuery: NOTHING, at: undefined });
  },
);
