import { describe, expect, it } from "vitest";

import { chunkFile } from "../../../src/chunk/chunk.ts";
import { LINE_PATTERNS } from "../../../src/parse/languages/line-patterns-by-language.ts";
import { splitLines, type TextLines } from "../../../src/parse/text-lines.ts";
import { parseLineOutline } from "../../../src/parse/symbols/line-outline.ts";

/** Returns the symbols, found without a grammar, as `start-end kind name`. */
function symbols(language: string, text: string): string[] {
  return chunkFile({ path: "a", language, text }).symbols.map(
    ({ startLine, endLine, kind, qualifiedName }) =>
      `${startLine}-${endLine} ${kind} ${qualifiedName}`,
  );
}

/** Returns the names of the symbols in one line. */
function one(language: string, line: string): string[] {
  return chunkFile({ path: "a", language, text: `${line}\n` }).symbols.map(({ name }) => name);
}

describe("definitions found by line patterns", () => {
  it("end at the brace with their own indentation", () => {
    const text =
      "class A {\n  void b(int c) {\n    if (c) {\n    }\n  }\n\n  int d;\n}\n\nvoid e() {\n}\n";
    expect(symbols("dart", text)).toEqual(["1-8 class A", "2-5 method A.b", "10-11 function e"]);
  });

  it("may have their brace on a line of its own", () => {
    expect(symbols("swift", "func a()\n{\n  b()\n}\n\nfunc c() {}\n")).toEqual([
      "1-4 function a",
      "6-6 function c",
    ]);
  });

  it("continue after parameters on several lines", () => {
    expect(symbols("swift", "func a(\n  b: Int\n) -> Int {\n  b\n}\nlet c = 1\n")).toEqual([
      "1-5 function a",
      "6-6 constant c",
    ]);
  });

  it("begin with the comments and attributes above", () => {
    expect(symbols("swift", "let x = 1\n\n/// Doc.\n@objc\nfunc a() {\n}\n")).toEqual([
      "1-1 constant x",
      "3-6 function a",
    ]);
  });

  it("end where the indentation ends", () => {
    expect(symbols("python", "def a():\n    if b:\n        c\n\n    d\ne = 1\n")).toEqual([
      "1-5 function a",
    ]);
  });

  it("exclude calls, branches and declarations without a body", () => {
    const text = "int f(int a);\nreturn g(x) {\nelse if (a) {\nfoo(bar);\nnew Thing(x) {\n";
    expect(symbols("dart", text)).toEqual([]);
  });

  it("extend to the next one in SQL", () => {
    const text =
      "CREATE TABLE a (\n  b INT\n);\n\nSELECT 1;\nCREATE OR REPLACE FUNCTION s.f() AS $$\nBEGIN\nEND\n$$;\n";
    expect(symbols("sql", text)).toEqual(["1-5 class a", "2-2 field a.b", "6-9 function s.f"]);
  });

  it("are found in many languages", () => {
    expect(one("r", "fit <- function(x) x")).toEqual(["fit"]);
    expect(one("ocaml", "let rec fold f = f")).toEqual(["fold"]);
    expect(one("perl", "sub run { 1 }")).toEqual(["run"]);
    expect(one("objc", "- (void)play:(int)a {")).toEqual(["play:"]);
    expect(one("powershell", "function Get-Thing {")).toEqual(["Get-Thing"]);
    expect(one("makefile", "build: main.c")).toEqual(["build"]);
    expect(one("terraform", 'resource "aws_vpc" "main" {')).toEqual(['resource "aws_vpc" "main"']);
    expect(one("protobuf", "message Frame {")).toEqual(["Frame"]);
    expect(one("graphql", "type User {")).toEqual(["User"]);
    expect(one("erlang", "loop(State) ->")).toEqual(["loop"]);
    expect(one("clojure", "(defn parse [x]")).toEqual(["parse"]);
    expect(one("julia", "function solve(a)")).toEqual(["solve"]);
    expect(one("html", "<h2 id='install-it'>Install it</h2>")).toEqual(["Install it"]);
    expect(one("tex", "\\subsection{Method}")).toEqual(["Method"]);
    expect(one("elisp", "(defun load-it (a)")).toEqual(["load-it"]);
    expect(one("fortran", "  pure subroutine solve(a)")).toEqual(["solve"]);
    expect(one("solidity", "contract Token is ERC20 {")).toEqual(["Token"]);
    expect(one("fsharp", "let rec sum xs =")).toEqual(["sum"]);
  });

  it("end with their brace if a blank line precedes it", () => {
    expect(symbols("swift", "class A {\n  run()\n\n}\nrun()\n")).toEqual(["1-4 class A"]);
  });

  it("begin with their comments if they are the first member", () => {
    const text = "class A {\n  /** Doc. */\n  func b() {\n  }\n}\n";
    expect(symbols("swift", text)).toEqual(["1-5 class A", "2-4 method A.b"]);
  });

  it("begin with their comments where each extends to the next", () => {
    const text = "-- One.\nCREATE TABLE a (\n  b INT\n);\n\n-- Two.\nCREATE TABLE c (d INT);\n";
    expect(symbols("sql", text)).toEqual(["1-4 class a", "3-3 field a.b", "6-7 class c"]);
  });

  it("in C have their brace on a line of its own, and parameters and types on several", () => {
    const text =
      "static int a(int b,\n\t     int c)\n{\n\tstruct d *e = f(b);\n\n\treturn g(e);\n}\n\n/* Doc. */\nvoid *\nh(\n\tint\ti)\n{\n}\n\nint j(void)\n{\n}\n";
    expect(symbols("c", text)).toEqual(["1-7 function a", "9-14 function h", "16-18 function j"]);
  });

  it("in C include prototypes and macros with parameters, not calls and variables", () => {
    const text =
      "#define MAX(a, b) \\\n\t((a) > (b))\nextern int f(int a,\n\t     int b);\nMODULE_LICENSE(a);\nstatic DEFINE_MUTEX(b);\nint c = d(e);\nstatic struct e f = {\n\t.g = 1,\n};\nstruct h *i;\n";
    expect(symbols("c", text)).toEqual(["1-2 function MAX", "3-4 function f"]);
  });

  it("in C include structures with a body only", () => {
    const text =
      "struct a {\n\tstruct b *c;\n\tint (*d)(int);\n\tunsigned int (*e)(int);\n};\n\nstatic struct a *f(void)\n{\n}\nenum g\n{\n\tH,\n};\n";
    expect(symbols("c", text)).toEqual(["1-5 class a", "7-9 function f", "10-13 type g"]);
  });

  it("in C++ belong to the class in their qualified name", () => {
    const text =
      "namespace n {\nclass A : public B {\n public:\n  int c() const;\n  A(int d) {\n  }\n};\n}\n\nint n::A::c() const\n{\n  return 1;\n}\n";
    expect(symbols("cpp", text)).toEqual([
      "1-1 module n",
      "2-7 class A",
      "4-4 method A.c",
      "5-6 method A.A",
      "10-13 function n.A.c",
    ]);
  });

  it("in Java may be annotated, without a body, and have their parameters on several lines", () => {
    const text =
      "interface A {\n\n\t@Nullable B c();\n\n\tdefault Map<String, Object> d(\n\t\t\tint e,\n\t\t\tint f) throws G {\n\t\treturn h(e);\n\t}\n\n\tObject i = j(new K());\n}\n";
    expect(symbols("java", text)).toEqual(["1-12 type A", "3-3 method A.c", "5-9 method A.d"]);
  });

  it("in JavaScript include methods without a keyword", () => {
    const text =
      "class A {\n\tconstructor(b) {\n\t\tif (b) {\n\t\t}\n\t}\n\n\tstatic async #c(d, { e }) {\n\t}\n}\n\ndescribe(f, () => {\n});\n";
    expect(symbols("javascript", text)).toEqual([
      "1-9 class A",
      "2-5 method A.constructor",
      "7-8 method A.#c",
    ]);
  });

  it("in Go include types", () => {
    const text = "type A struct {\n\tb int\n}\n\ntype C interface {\n}\n\nfunc (a *A) D() {\n}\n";
    expect(symbols("go", text)).toEqual(["1-3 class A", "5-6 type C", "8-9 function D"]);
  });

  it("on one line do not change the chunks and belong to the enclosing definition", () => {
    const text = "class A {\n  let b = 1\n  func c() {\n    let d = 1\n  }\n}\n\nlet e = 1\n";
    expect(symbols("swift", text)).toEqual([
      "1-6 class A",
      "2-2 field A.b",
      "3-5 method A.c",
      "8-8 constant e",
    ]);
    const file = chunkFile({ path: "a", language: "swift", text });
    expect(file.chunks.map(({ names }) => names)).toEqual([["A", "c"]]);
  });

  it("in data files have a maximum number", () => {
    const text = Array.from({ length: 1000 }, (_, at) => `.c${at} {\n}\n`).join("\n");
    expect(symbols("css", text)).toHaveLength(300);
    expect(symbols("toml", text.replaceAll(/\.(c\d+) \{\n\}/g, "[$1]"))).toHaveLength(300);
  });

  it("in SQL have names without quotes, with their schema", () => {
    const text = 'CREATE TABLE "a"."b" (\n  `c` int\n);\nCREATE PROC [dbo].[Do]\nAS\n';
    expect(symbols("sql", text)).toEqual([
      "1-3 class a.b",
      "2-2 field a.b.c",
      "4-5 function dbo.Do",
    ]);
  });

  it("in configuration files name chunks but are not symbols", () => {
    const text = "services:\n  web:\n    image: a\n\nvolumes:\n  data: {}\n";
    const { chunks, symbols: found } = chunkFile({ path: "a.yml", language: "yaml", text });
    expect(found).toEqual([]);
    expect(chunks).toMatchObject([{ startLine: 1, endLine: 6, names: ["services", "volumes"] }]);
  });
});

describe("the patterns", () => {
  it("have one group each, the name", () => {
    for (const [language, { patterns }] of LINE_PATTERNS) {
      expect([language, patterns.length <= 16]).toEqual([language, true]);
      for (const { regex } of patterns) {
        const groups = new RegExp(`${regex.source}|`, regex.flags.replace("y", "")).exec(
          "",
        )?.length;
        expect([regex.source, groups]).toEqual([regex.source, 2]);
      }
    }
  });

  it("read each line only a few times, for any text", () => {
    for (const line of [
      "int foo(a",
      "int foo(a,\n b,\n c",
      "{",
      "}",
      "class A {",
      "// a",
      " ",
      "a a(a",
    ]) {
      const count = 5000;
      const text = `${line}\n`.repeat(count);
      for (const language of ["c", "cpp", "java", "javascript", "swift", "sql", "python"]) {
        const { lines, accesses } = counted(splitLines(text));
        parseLineOutline(lines, language);
        expect([language, line, accesses() < lines.count * 20]).toEqual([language, line, true]);
      }
    }
  });
});

/** Returns the same lines, and a function that returns how often a line was accessed. */
function counted(lines: TextLines): { lines: TextLines; accesses: () => number } {
  let accesses = 0;
  const count =
    <T>(read: (line: number) => T) =>
    (line: number): T => {
      accesses += 1;
      return read(line);
    };
  const { text, count: lineCount, starts, firsts, indents, sizes } = lines;
  const wrapped: TextLines = {
    text,
    count: lineCount,
    starts,
    firsts,
    indents,
    sizes,
    isBlank: count((line) => lines.isBlank(line)),
    at: count((line) => lines.at(line)),
    endOf: count((line) => lines.endOf(line)),
    lastOf: count((line) => lines.lastOf(line)),
  };
  return { lines: wrapped, accesses: () => accesses };
}
