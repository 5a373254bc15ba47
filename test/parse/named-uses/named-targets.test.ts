import { expect, test } from "vitest";

import { NamedTargets } from "../../../src/parse/named-uses/named-targets.ts";
import { definitionsByLine } from "../../../src/parse/symbols/definitions-by-line.ts";
import type { SymbolDefinition } from "../../../src/parse/symbols/symbol-definition.ts";

function symbol(qualifiedName: string, startLine: number, endLine: number): SymbolDefinition {
  const name = qualifiedName.slice(qualifiedName.lastIndexOf(".") + 1);
  const kind = /^[A-Z]/.test(name) ? "class" : "method";
  const lines = { startLine, endLine, nameLine: startLine };
  return { name, qualifiedName, kind, ...lines, access: "internal", signature: "" };
}

const symbols = [
  symbol("A", 1, 5),
  symbol("A.run", 2, 4),
  symbol("B", 6, 9),
  symbol("B.run", 7, 8),
];
const file = {
  symbols,
  ownerAt: definitionsByLine(symbols),
  typeAt: definitionsByLine(symbols, new Set(["class"])),
};
const use = { name: "run", role: "call" } as const;

test("a bare name means the member of the type around it", () => {
  const targets = new NamedTargets(file, false);
  expect(targets.of({ ...use, line: 3, receiver: "" })).toBe(1);
  expect(targets.of({ ...use, line: 8, receiver: "" })).toBe(3);
  expect(targets.of({ ...use, line: 20, receiver: "" })).toBe(-1);
});

test("a path and the type itself", () => {
  const targets = new NamedTargets(file, true);
  expect(targets.of({ ...use, line: 20, receiver: "B" })).toBe(3);
  expect(targets.of({ ...use, name: "RUN", line: 20, receiver: "#0" })).toBe(1);
  expect(targets.of({ ...use, line: 20, receiver: "?" })).toBe(-1);
});
