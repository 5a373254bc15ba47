import { expect, test } from "vitest";

import { NameTableBuilder, NameTableWriter } from "../../../src/index/names/name-table-writer.ts";
import { tableOf } from "../../../src/index/names/symbol-names.ts";

function nameOf(at: number): string {
  return `n${String(at).padStart(4, "0")}`;
}

test("names that are not well-formed are one name, as in the index", () => {
  const facts = { kind: "function", access: "exported" } as const;
  const lines = { startLine: 1, endLine: 1, nameLine: 1 };
  const builder = new NameTableBuilder();
  builder.add(
    ["\ud800", "\udfff", "\ufffd"].map((name) => ({
      name,
      qualifiedName: name,
      ...facts,
      ...lines,
    })),
  );
  const table = tableOf(builder.build());
  expect([table.size, table.name(0), ...table.symbolsOf(0)]).toEqual([1, "\ufffd", 0, 1, 2]);
});

test("what is written in order is read by number", () => {
  const writer = new NameTableWriter();
  const count = 1000;
  for (let at = 0; at < count; at += 1) {
    expect(writer.addName(nameOf(at), Uint32Array.of(at, count + at))).toBe(at);
  }
  writer.addTerm(
    "n",
    Uint32Array.from({ length: count }, (_, at) => at),
  );
  for (let at = 0; at < 2 * count; at += 1) writer.addSymbol((at * 7) % 100, at % 200);
  for (let at = 0; at < 100; at += 1) writer.addOwner(`owner${at}.`);
  const table = tableOf(writer.finish());
  expect([...table.symbolsOf(777)]).toEqual([777, 1777]);
  expect(table.namesWith("n").length).toBe(count);
  expect([1777, 0, 999].map((at) => [table.ownerOf(at), table.traitsOf(at)])).toEqual([
    [39, 177],
    [0, 0],
    [93, 199],
  ]);
  expect(table.ownerText(39)).toBe("owner39.");
});
