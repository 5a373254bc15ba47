import { expect, test } from "vitest";

import { fileAddress, readAddress, writeAddress, type Address } from "../../src/web/address.ts";

const EMPTY: Address = { searchQuery: { text: "", namespace: "" }, file: undefined };

test.each<Address>([
  EMPTY,
  { searchQuery: { text: "a & b=c # lang:go %41", namespace: "x y" }, file: undefined },
  {
    searchQuery: { text: "tide", namespace: "*" },
    file: { path: "src/a:1b.ts", lines: { start: 3, end: 9 }, commit: "0123abcd", isSource: true },
  },
  { ...EMPTY, file: fileAddress("") },
  { ...EMPTY, file: fileAddress('src/"><img src=x>\n/', undefined) },
  { ...EMPTY, file: fileAddress("src/a.ts", { start: 7, end: 7 }) },
])("%j survives its address", (address) => {
  expect(readAddress(writeAddress(address))).toEqual(address);
});

test("addresses are readable", () => {
  const file = fileAddress("src/a.ts", { start: 10, end: 20 });
  expect(writeAddress({ ...EMPTY, file })).toBe("#file=src/a.ts:10-20");
  expect(writeAddress(EMPTY)).toBe("#");
});

test("lines are in order, and invalid parts are ignored", () => {
  expect(readAddress("#file=a.ts:20-10").file?.lines).toEqual({ start: 10, end: 20 });
  expect(readAddress("#file=a.ts:0").file).toEqual(fileAddress("a.ts:0"));
  expect(readAddress("#file=a.ts&commit=HEAD&view=x").file).toEqual(fileAddress("a.ts"));
  expect(readAddress("#file=").file).toBeUndefined();
});

test("older addresses keep their meaning", () => {
  expect(readAddress("#q=tide&language=go&kind=code&path=my docs/**&at=src/a.ts:3")).toEqual({
    searchQuery: { text: 'tide lang:go kind:code path:"my docs/**"', namespace: "" },
    file: fileAddress("src/a.ts", { start: 3, end: 3 }),
  });
});
