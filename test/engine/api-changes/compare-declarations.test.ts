import { expect, test } from "vitest";

import { compareDeclarations } from "../../../src/engine/api-changes/compare-declarations.ts";
import {
  parseDeclaration,
  type ApiDeclaration,
} from "../../../src/engine/api-changes/declaration.ts";
import { overloadsIn } from "../../../src/engine/api-changes/overloads.ts";
import type { ChunkKind } from "../../../src/index/types.ts";

interface Facts {
  readonly kind?: ChunkKind;
  readonly above?: readonly string[];
  readonly types?: Readonly<Record<string, string>>;
}

function declared(
  text: string,
  language: string,
  { kind = "function", above = [], types = {} }: Facts = {},
): ApiDeclaration {
  const name = /\b(?:f|F|__init__)\b/.exec(text)?.[0] ?? "f";
  const localType = (one: string): string | undefined => types[one];
  // A declaration as the parser returns it, without the body.
  const signature = kind === "type" ? text.replace(/ = \{.*/, "") : text;
  return parseDeclaration({ name, kind, language, signature, above, localType, text });
}

/** `what parameter` of each, with `!` after what breaks users. */
function differences(
  before: string,
  now: string,
  language: string,
  facts: Facts = {},
): readonly string[] {
  const all = compareDeclarations(
    [declared(before, language, facts)],
    [declared(now, language, facts)],
  );
  return all.map(
    ({ what, parameter, isBreaking }) =>
      `${what}${parameter === "" ? "" : ` ${parameter}`}${isBreaking ? "!" : ""}`,
  );
}

test.each([
  ["def f(a, b)", "def f(a)", ["parameter removed b!"]],
  ["def f(a)", "def f(a, b)", ["parameter added b!"]],
  ["def f(a)", "def f(a, b=1)", ["optional parameter added b"]],
  ["def f(a, c=1)", "def f(a, b=1, c=1)", ["optional parameter added b!"]],
  ["def f(a, *, c=1)", "def f(a, *, b=1, c=1)", ["optional parameter added b"]],
  ["def f(a=1)", "def f(a)", ["parameter made required a!"]],
  ["def f(a)", "def f(a=1)", ["parameter made optional a"]],
  ["def f(a, b)", "def f(b, a)", ["parameters reordered!"]],
  ["def f(a, b)", "def f(a, c)", ["parameter renamed c!"]],
  ["def f(a, b=1)", "def f(a, *, b=1)", ["parameter given differently b!"]],
  [
    "def f(a, b=1, c=2)",
    "def f(a, d=1, c=2)",
    ["parameter removed b!", "optional parameter added d!"],
  ],
  ["def f(*args, **attrs)", "def f(*rest, **kwargs)", []],
  ["def f(a: t.Optional[str]) -> t.List[int]", "def f(a: str | None) -> list[int]", []],
  ["def f(a: int)", "def f(a: str)", ["parameter type a"]],
  ["def f(a=1)", "def f(a=2)", ["default a"]],
  ["def f(a)", "async def f(a)", ["made!"]],
])("Python: %s -> %s", (before, now, expected) => {
  expect(differences(before, now, "python")).toEqual(expected);
});

test.each([
  ["function f(a: string)", "function f(b: string)", []],
  ["function f(a: string)", "function f(a: string | number)", ["parameter type a"]],
  ["function f(a: string | number)", "function f(a: string)", ["parameter type a!"]],
  ["function f(): string | null", "function f(): string", ["result type"]],
  ["function f(): string", "function f(): string | null", ["result type!"]],
  ["function f(a?: string)", "function f(a: string)", ["parameter made required a!"]],
  ["const f = (a: string): void", "const f = async (a: string): Promise<void>", ["result type!"]],
  [
    "function f({ a }: A, b: B)",
    "function f({ a, c }: A, b: B, d?: D)",
    ["optional parameter added d"],
  ],
  ["function f<T>(a: T)", "function f<T, U = T>(a: T)", ["type parameters"]],
  ["function f<T>(a: T)", "function f<T, U>(a: T)", ["type parameters!"]],
  ["static f()", "f()", ["no longer!"]],
])("TypeScript: %s -> %s", (before, now, expected) => {
  expect(differences(before, now, "typescript")).toEqual(expected);
});

test.each([
  [
    "go",
    "func (c *C) f(a, b int) error",
    "func (c *C) f(a int, b string) error",
    ["parameter type b!"],
  ],
  ["go", "func f(a int) error", "func f(b int) (int, error)", ["result type!"]],
  ["rust", "pub fn f(&self, a: u8) -> u8", "pub fn f(&self, a: u16) -> u8", ["parameter type a!"]],
  ["java", "public static <T> List<T> f(T a)", "public static <T> Set<T> f(T a)", ["result type!"]],
  ["c", "int f(const char *a)", "int f(const char *a, int b)", ["parameter added b!"]],
])("%s: %s -> %s", (language, before, now, expected) => {
  expect(differences(before, now, language)).toEqual(expected);
});

test("types and values have their own differences", () => {
  const ofClass = { kind: "class" } as const;
  expect(differences("class F(A, B)", "class F(A)", "python", ofClass)).toEqual(["bases"]);
  expect(differences("class F extends A", "class F extends B", "java", ofClass)).toEqual([
    "bases!",
  ]);
  expect(
    differences("class F<T extends A = B>", "class F<T extends A = C>", "typescript", ofClass),
  ).toEqual(["type parameters!"]);
  const type = { kind: "type" } as const;
  expect(differences("type F = 'a' | 'b'", "type F = 'a' | 'b' | 'c'", "typescript", type)).toEqual(
    ["type"],
  );
  expect(differences("type F = 'a' | 'b'", "type F = 'a'", "typescript", type)).toEqual(["type!"]);
  // Its members are separate definitions.
  expect(
    differences("type F = { a: string }", "type F = { b: string }", "typescript", type),
  ).toEqual([]);
  const field = { kind: "field" } as const;
  expect(differences("f: string", "f?: string", "typescript", field)).toEqual(["made optional!"]);
  expect(differences("f = 1", "f = 2", "python", field)).toEqual([]);
});

test("a property of Python is a value", () => {
  const kind = "method";
  const before = [declared("def f(self)", "python", { kind })];
  const now = [declared("def f(self)", "python", { kind, above: ["    @property"] })];
  expect(compareDeclarations(before, now)).toMatchObject([
    { what: "kind", before: "function", after: "value" },
  ]);
});

test("a function in a variable has the declared type, and what only its file knows of it", () => {
  const before = declared("const f: Get = (a)", "typescript", {
    types: { Get: "interface Get { (a: A): B }" },
  });
  const now = declared("const f: Get = (a)", "typescript", {
    types: { Get: "interface Get { (a: A): C }" },
  });
  expect(compareDeclarations([before], [now])).toMatchObject([{ what: "type", isBreaking: true }]);
});

function inJava(...texts: readonly string[]): readonly ApiDeclaration[] {
  return texts.map((text) => declared(text, "java"));
}

test("overloads are compared as a whole", () => {
  const before = inJava("void f(int a)", "void f(String a)");
  expect(compareDeclarations(before, before.toReversed())).toEqual([]);
  expect(compareDeclarations(before, inJava("void f(int a)"))).toMatchObject([
    { what: "overload removed", before: "void f(String a)" },
  ]);
  expect(compareDeclarations(before, [...before, ...inJava("void f()")])).toMatchObject([
    { what: "overload added", isBreaking: false },
  ]);
});

test("overloads that the parser joins are found in the text", () => {
  const script =
    "export function f(a: string): void\nexport function f(a: number): void\nexport function f(a: any) {\n  f(1)\n}";
  expect(overloadsIn(script, "f", "typescript")).toEqual([
    "export function f(a: string): void",
    "export function f(a: number): void",
  ]);
  const python =
    "def f(a: int) -> int: ...\n@overload\ndef f(\n  a: str,  # a name\n) -> str: ...\ndef f(a):\n    return a\n";
  expect(overloadsIn(python, "f", "python")).toEqual(["def f(a)"]);
  expect(overloadsIn("def f(self): ...\n@f.setter\ndef f(self, v): ...\n", "f", "python")).toEqual(
    [],
  );
  expect(overloadsIn("def f(a): ...\n", "f", "python")).toEqual([]);
});
