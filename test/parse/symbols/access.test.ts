import { describe, expect, it } from "vitest";

import { chunk } from "../../chunk/helpers.ts";

/** Returns the access by qualified name. */
async function access(
  language: string,
  text: string,
  file?: string,
): Promise<Record<string, string>> {
  const { symbols } = await chunk(language, text, file);
  const pairs = symbols.map((symbol) => [symbol.qualifiedName, symbol.access] as const);
  return Object.fromEntries(pairs);
}

describe("access", () => {
  it("in TypeScript follows exports and modifiers", async () => {
    const text = `export class A { #b = 1; private c = 2; protected d(): void {} e(): void {} }
const f = 1, g = 2, h = 3;
interface I { j: string }
enum K { L }
export { f, g as other, type I };
export default h;
namespace M { export const n = 1; const o = 2; }
`;
    expect(await access("typescript", text)).toEqual({
      A: "exported",
      "A.#b": "private",
      "A.c": "private",
      "A.d": "internal",
      "A.e": "exported",
      f: "exported",
      g: "exported",
      h: "exported",
      I: "exported",
      "I.j": "exported",
      K: "private",
      "K.L": "private",
      M: "private",
      "M.n": "private",
      "M.o": "private",
    });
  });

  it("in CommonJS follows assignments to exports, and all of a script is internal", async () => {
    const text = `function a() {}\nfunction b() {}\nfunction c() {}\nmodule.exports = { a, other: b };\nexports.d = function () {};\n`;
    expect(await access("javascript", text)).toEqual({
      a: "exported",
      b: "exported",
      c: "private",
      d: "exported",
      exports: "exported",
      "exports.other": "exported",
    });
    const named = "module.exports = class Queue {};\n";
    expect(await access("javascript", named)).toEqual({ Queue: "exported" });
    expect(await access("javascript", "function a() {}\n")).toEqual({ a: "internal" });
  });

  it("in Python follows underscores and __all__", async () => {
    const text = `__all__ = ["_a"]\ndef _a(): pass\ndef _b(): pass\nclass C:\n    def __d(self): pass\n    def __init__(self): pass\n`;
    expect(await access("python", text)).toEqual({
      __all__: "exported",
      _a: "exported",
      _b: "internal",
      C: "exported",
      "C.__d": "private",
      "C.__init__": "exported",
    });
  });

  it("in Go follows capitalization", async () => {
    const text = "package p\n\ntype A struct {\n\tB int\n\tc int\n}\n\nfunc d() {}\n";
    expect(await access("go", text)).toEqual({
      A: "exported",
      "A.B": "exported",
      "A.c": "internal",
      d: "internal",
    });
  });

  it("in Java follows modifiers and the enclosing interface or enumeration", async () => {
    const text =
      "class A { private int b; protected int c; public int d; int e; }\npublic interface F { void g(); }\npublic enum H { I }\n";
    expect(await access("java", text)).toEqual({
      A: "internal",
      "A.b": "private",
      "A.c": "internal",
      "A.d": "exported",
      "A.e": "internal",
      F: "exported",
      "F.g": "exported",
      H: "exported",
      "H.I": "exported",
    });
  });

  it("in Rust follows pub and the enclosing trait or enumeration", async () => {
    const text =
      "pub struct A { pub b: u8, c: u8 }\npub(crate) fn d() {}\npub enum E { F }\npub trait G { fn h(&self); }\nimpl G for A { fn h(&self) {} }\nimpl A { fn i(&self) {} }\nfn j() {}\n";
    expect(await access("rust", text)).toEqual({
      A: "exported",
      "A.b": "exported",
      "A.c": "private",
      d: "internal",
      E: "exported",
      "E.F": "exported",
      G: "exported",
      "G.h": "exported",
      "A.h": "exported",
      "A.i": "private",
      j: "private",
    });
  });

  it("in C follows static and whether the file is a header", async () => {
    const text = "struct a { int b; };\nint c(void);\nstatic int d(void) { return 1; }\n";
    expect(await access("c", text, "x.c")).toEqual({
      a: "private",
      "a.b": "private",
      c: "internal",
      d: "private",
    });
    expect(await access("c", text, "x.h")).toMatchObject({ a: "exported", c: "exported" });
  });

  it("in C++ follows sections", async () => {
    const text =
      "class A { int a; protected: int b; public: int c; void d(); };\nstruct E { int f; private: int g; };\n";
    expect(await access("cpp", text, "x.hpp")).toEqual({
      A: "exported",
      "A.a": "private",
      "A.b": "internal",
      "A.c": "exported",
      "A.d": "exported",
      E: "exported",
      "E.f": "exported",
      "E.g": "private",
    });
  });

  it("in C#, PHP and Kotlin follows modifiers and the default of the language", async () => {
    expect(
      await access(
        "csharp",
        "class A { int b; public int c; internal int d; }\ninterface E { void f(); }\n",
      ),
    ).toEqual({
      A: "internal",
      "A.b": "private",
      "A.c": "exported",
      "A.d": "internal",
      E: "internal",
      "E.f": "exported",
    });
    expect(
      await access("php", "<?php\nclass A { private $b; protected $c; function d() {} }\n"),
    ).toEqual({ A: "exported", "A.b": "private", "A.c": "internal", "A.d": "exported" });
    expect(
      await access("kotlin", "class A { private val b = 1\n internal fun c() {}\n fun d() {} }\n"),
    ).toEqual({ A: "exported", "A.b": "private", "A.c": "internal", "A.d": "exported" });
  });

  it("in Ruby follows sections and statements that name methods", async () => {
    const text =
      "class A\n  def b; end\n  private\n  def c; end\n  public\n  def d; end\n  def e; end\n  private :d\n  private def f; end\n  private_class_method :e\nend\n";
    expect(await access("ruby", text)).toEqual({
      A: "exported",
      "A.b": "exported",
      "A.c": "private",
      "A.d": "private",
      "A.e": "private",
      "A.f": "private",
    });
  });

  it("of functions inside of functions is private", async () => {
    expect(await access("python", "def a():\n    def b(): pass\n")).toEqual({
      a: "exported",
      "a.b": "private",
    });
  });
});
