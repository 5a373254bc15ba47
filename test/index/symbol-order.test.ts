import { expect, test } from "vitest";

import { byNameMatch, bySymbolLine } from "../../src/index/symbol-order.ts";
import type { NamedSymbol } from "../../src/index/port.ts";

const SYMBOL: NamedSymbol = {
  name: "",
  qualifiedName: "",
  kind: "function",
  access: "exported",
  startLine: 1,
  endLine: 1,
  nameLine: 1,
  number: 0,
  path: "",
};

function symbol(name: string, path: string, startLine: number, endLine = startLine): NamedSymbol {
  return { ...SYMBOL, name, path, startLine, endLine };
}

test("symbols of a file are in line order, an outer one before those that begin with it", () => {
  const [outer, inner, later] = [symbol("a", "", 1, 9), symbol("b", "", 1, 3), symbol("c", "", 2)];
  expect([later, inner, outer].toSorted(bySymbolLine)).toEqual([outer, inner, later]);
});

test("definitions in the case of the query come first, then by path and line", () => {
  const exact = [symbol("open", "a.ts", 9), symbol("open", "b.ts", 1), symbol("open", "b.ts", 4)];
  const others = [symbol("Open", "a.ts", 1), symbol("OPEN", "c.ts", 1)];
  const all = [...others, ...exact].toReversed();
  expect(all.toSorted(byNameMatch("open"))).toEqual([...exact, ...others]);
});
