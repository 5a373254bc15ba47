import { expect, test } from "vitest";

import { NameTable } from "../../../src/index/names/name-table.ts";
import { NameTableBuilder } from "../../../src/index/names/name-table-writer.ts";
import { tableOf } from "../../../src/index/names/symbol-names.ts";

const FACTS = { kind: "method", access: "private", startLine: 1, endLine: 1, nameLine: 1 } as const;

function bytesOf(names: readonly string[]): Uint8Array {
  const builder = new NameTableBuilder();
  for (const name of names) builder.add([{ name, qualifiedName: `Größe.${name}`, ...FACTS }]);
  return builder.build();
}

test.each<[string, readonly string[]]>([
  ["no name", []],
  ["a few names", ["open", "openFile", "größeÄndern", "名前", "𝒳", "open", ""]],
  ["many names", Array.from({ length: 3000 }, (_, at) => `name${at % 1500}Of${at % 7}`)],
])("a table with %s is read back as it was written", (_, names) => {
  const table = tableOf(bytesOf(names));
  const distinct = [...new Set(names)].toSorted();
  expect(Array.from({ length: table.size }, (_name, at) => table.name(at))).toEqual(distinct);
  for (const [at, name] of distinct.entries()) {
    const symbols = names.flatMap((one, symbol) => (one === name ? [symbol] : []));
    expect([...table.symbolsOf(at)]).toEqual(symbols);
    expect(table.firstName(name)).toBe(at);
  }
  for (const symbol of names.keys()) {
    expect(table.ownerText(table.ownerOf(symbol))).toBe("Größe.");
    expect(table.traitsOf(symbol)).toBe(table.traitsOf(0));
  }
});

test("terms are found by their beginnings, with the names that have them", () => {
  const names = Array.from({ length: 500 }, (_, at) => `get${at}User`);
  const table = tableOf(bytesOf([...names, "NullPointerException", "x"]));
  const terms = (prefix: string): readonly string[] =>
    [...table.termsFrom(prefix)].map(({ text }) => text);
  expect(terms("get1").length).toBe(111);
  expect(terms("get499")).toEqual(["get499"]);
  expect(terms("zzz")).toEqual([]);
  expect(table.namesWith("user").length).toBe(500);
  expect([...table.namesWith("exception")].map((at) => table.name(at))).toEqual([
    "NullPointerException",
  ]);
  expect([...table.namesWith("/npe")].map((at) => table.name(at))).toEqual([
    "NullPointerException",
  ]);
  expect([...table.namesWith("us")]).toEqual([]);
});

test("a query for one name reads few of the bytes", () => {
  const bytes = bytesOf(Array.from({ length: 60_000 }, (_, at) => `name_${at}_of_${at % 977}`));
  let read = 0;
  const counted = new NameTable({
    length: bytes.length,
    read: (offset, length) => {
      read += length;
      return bytes.subarray(offset, offset + length);
    },
  });
  const [name = -1] = counted.namesWith("44444");
  expect(counted.name(name)).toBe("name_44444_of_479");
  expect(counted.symbolsOf(name).length).toBe(1);
  expect(read).toBeLessThan(bytes.length / 8);
});

test("bytes that are no table are damage", () => {
  const bytes = bytesOf(["open", "close"]);
  const damaged = [
    bytes.subarray(0, 3),
    bytes.subarray(0, 20),
    Buffer.concat([Buffer.from([255]), bytes.subarray(1)]),
  ];
  for (const one of damaged)
    expect(() => tableOf(one)).toThrow("The names section of the index is damaged.");
  const whole = tableOf(bytes);
  expect(() => whole.name(64)).toThrow("The names section of the index is damaged.");
  expect(() => whole.ownerText(64)).toThrow("The names section of the index is damaged.");
});
