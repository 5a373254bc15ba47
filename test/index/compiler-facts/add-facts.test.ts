import { expect, test } from "vitest";

import { relatedTarget, usedTarget } from "../../../src/base/compiler-target.ts";
import { addFacts } from "../../../src/index/compiler-facts/add-facts.ts";
import type { CompilerFacts } from "../../../src/index/compiler-facts/compiler-facts.ts";
import type { SymbolFacts } from "../../../src/index/types.ts";
import { NO_REFERENCES, type Use } from "../../../src/parse/references/references.ts";
import { useOfSharedName } from "../../../src/parse/shared-names/shared-name.ts";

function symbol(name: string, startLine: number, endLine: number): SymbolFacts {
  const place = { startLine, endLine, nameLine: startLine };
  return { name, qualifiedName: name, kind: "function", access: "exported", ...place };
}

function use(name: string, line: number, more: Partial<Use> = {}): Use {
  return { name, line, role: "call", owner: -1, target: -1, binding: -1, receiver: "", ...more };
}

const OPEN = { path: "b.ts", qualifiedName: "Store.open", name: "open" };

function added(uses: readonly Use[], facts: Partial<CompilerFacts>): readonly Use[] {
  const all = { definitions: [], uses: [], relations: [], ...facts };
  const symbols = [symbol("run", 1, 5), symbol("inner", 2, 4)];
  const { references } = addFacts(
    { path: "a.ts", symbols, references: { ...NO_REFERENCES, uses } },
    all,
  );
  return references.uses.filter(({ name }) => name !== "(compiler)");
}

test("a use keeps its role and owner, and gets the definition of the compiler", () => {
  const uses = added([use("open", 3, { owner: 1, receiver: "?" })], {
    uses: [{ line: 3, text: "open", role: "value", target: OPEN }],
  });
  expect(uses).toEqual([use("open", 3, { owner: 1, receiver: usedTarget(OPEN) })]);
});

test("a use that only the compiler has belongs to the innermost definition around it", () => {
  const uses = added([], { uses: [{ line: 3, text: "start", role: "value", target: OPEN }] });
  expect(uses).toEqual([use("open", 3, { role: "value", owner: 1, receiver: usedTarget(OPEN) })]);
});

test("a definition of the same file is a number", () => {
  const target = { path: "a.ts", qualifiedName: "run", name: "run" };
  const uses = added([], { uses: [{ line: 3, text: "run", role: "call", target }] });
  expect(uses).toEqual([use("run", 3, { owner: 1, target: 0 })]);
});

test("a use that the compiler does not have is one by name", () => {
  expect(added([use("open", 3, { target: 1, binding: 2 })], {})).toEqual([
    use("open", 3, { receiver: "?" }),
  ]);
});

test("a key that the compiler does not have is no use, a name in the body of a macro stays one", () => {
  expect(added([use("size", 3, { role: "value", receiver: "@Options:" })], {})).toEqual([]);
  const inMacro = use("flush", 3, { receiver: "~" });
  expect(added([inMacro], {})).toEqual([inMacro]);
});

test("a name of another project is resolved by svc or not at all, a variable is no use", () => {
  const facts = { line: 3, text: "open", role: "call" } as const;
  const outside = { uses: [{ ...facts, target: "outside" as const }] };
  const imported = use("open", 3, { binding: 0 });
  expect(added([imported], outside)).toEqual([imported]);
  expect(added([use("open", 3, { receiver: "?" })], outside)).toEqual([]);
  expect(added([imported], { uses: [{ ...facts, target: "local" }] })).toEqual([]);
});

test("a supertype that the compiler does not see as a use stays, unless a relation has it", () => {
  const base = use("Base", 1, { role: "inherit", owner: 0 });
  expect(added([base], {})).toEqual([base]);
  const target = { path: "b.ts", qualifiedName: "Base", name: "Base" };
  expect(added([base], { relations: [{ owner: "run", target }] })).toEqual([
    { ...base, receiver: relatedTarget(target) },
  ]);
});

test("definitions of the compiler come after those of the parser", () => {
  const definitions = [symbol("more", 9, 9)];
  const { symbols } = addFacts(
    { path: "a.ts", symbols: [symbol("run", 1, 5)], references: NO_REFERENCES },
    { definitions, uses: [], relations: [] },
  );
  expect(symbols.map(({ name }) => name)).toEqual(["run", "more"]);
});

test("shared names stay as they are: no compiler knows them", () => {
  const shared = { kind: "route", name: "GET /users/{}", line: 3, isDeclared: true } as const;
  const stored = useOfSharedName(shared, 1);
  expect(added([stored], {})).toEqual([stored]);
});
