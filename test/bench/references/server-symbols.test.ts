import { expect, test } from "vitest";

import type { DocumentSymbol } from "../../../bench/references/language-server.ts";
import { methodsOf, symbolsOfServer } from "../../../bench/references/server-symbols.ts";

const TEXT = "namespace a {\nclass Node { Node(); ~Node(); int size; };\nint open(); }\n";

function symbol(
  name: string,
  kind: number,
  line: number,
  children: readonly DocumentSymbol[] = [],
): DocumentSymbol {
  const character = TEXT.split("\n")[line]?.indexOf(name) ?? -1;
  const start = { line, character };
  const end = { line, character: character + name.length };
  return { name, kind, selectionRange: { start, end }, children };
}

test("definitions of namespaces and classes, without constructors", () => {
  const node = symbol("Node", 5, 1, [
    { ...symbol("Node(", 9, 1), name: "Node" },
    symbol("~Node", 6, 1),
    symbol("size", 8, 1),
  ]);
  const all = [symbol("a", 3, 0, [node, symbol("open", 12, 2)])];

  expect(symbolsOfServer(all, TEXT)).toEqual([
    { name: "Node", kind: "class", container: "", line: 2, column: 7 },
    { name: "size", kind: "field", container: "Node", line: 2, column: 35 },
    { name: "open", kind: "function", container: "", line: 3, column: 5 },
  ]);
  expect(methodsOf(all)).toEqual([
    { line: 1, character: 13 },
    { line: 1, character: 21 },
  ]);
});
