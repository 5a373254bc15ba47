import { describe, expect, it } from "vitest";

import { chunkFile } from "../../src/chunk/chunk.ts";

/** The symbols as `start-end kind name`, found without a grammar. */
function symbols(language: string, text: string): string[] {
  return chunkFile({ path: "a", language, text }).symbols.map(
    ({ startLine, endLine, kind, qualifiedName }) =>
      `${startLine}-${endLine} ${kind} ${qualifiedName}`,
  );
}

/** The names of the symbols in one line. */
function one(language: string, line: string): string[] {
  return chunkFile({ path: "a", language, text: `${line}\n` }).symbols.map(({ name }) => name);
}

describe("definitions found by the look of lines", () => {
  it("end with the brace of their own indentation", () => {
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

  it("go on after a list of parameters that is broken over lines", () => {
    expect(symbols("swift", "func a(\n  b: Int\n) -> Int {\n  b\n}\nlet c = 1\n")).toEqual([
      "1-5 function a",
    ]);
  });

  it("begin with the comments and attributes above", () => {
    expect(symbols("swift", "let x = 1\n\n/// Doc.\n@objc\nfunc a() {\n}\n")).toEqual([
      "3-6 function a",
    ]);
  });

  it("end where the indentation does", () => {
    expect(symbols("python", "def a():\n    if b:\n        c\n\n    d\ne = 1\n")).toEqual([
      "1-5 function a",
    ]);
  });

  it("are not calls, branches or declarations without a body", () => {
    const text = "int f(int a);\nreturn g(x) {\nelse if (a) {\nfoo(bar);\nnew Thing(x) {\n";
    expect(symbols("dart", text)).toEqual([]);
  });

  it("reach to the next one in SQL", () => {
    const text =
      "CREATE TABLE a (\n  b INT\n);\n\nSELECT 1;\nCREATE OR REPLACE FUNCTION s.f() AS $$\nBEGIN\nEND\n$$;\n";
    expect(symbols("sql", text)).toEqual(["1-5 class a", "6-9 function s.f"]);
  });

  it("are known for many languages", () => {
    expect(one("r", "fit <- function(x) x")).toEqual(["fit"]);
    expect(one("ocaml", "let rec fold f = f")).toEqual(["fold"]);
    expect(one("perl", "sub run { 1 }")).toEqual(["run"]);
    expect(one("objc", "- (void)play:(int)a {")).toEqual(["play"]);
    expect(one("powershell", "function Get-Thing {")).toEqual(["Get-Thing"]);
    expect(one("makefile", "build: main.c")).toEqual(["build"]);
    expect(one("terraform", 'resource "aws_vpc" "main" {')).toEqual(['resource "aws_vpc" "main"']);
    expect(one("protobuf", "message Frame {")).toEqual(["Frame"]);
    expect(one("graphql", "type User {")).toEqual(["User"]);
    expect(one("erlang", "loop(State) ->")).toEqual(["loop"]);
    expect(one("clojure", "(defn parse [x]")).toEqual(["parse"]);
    expect(one("julia", "function solve(a)")).toEqual(["solve"]);
    expect(one("html", "<h2 id='a'>Install it</h2>")).toEqual(["Install it"]);
    expect(one("tex", "\\subsection{Method}")).toEqual(["Method"]);
    expect(one("elisp", "(defun load-it (a)")).toEqual(["load-it"]);
    expect(one("fortran", "  pure subroutine solve(a)")).toEqual(["solve"]);
    expect(one("solidity", "contract Token is ERC20 {")).toEqual(["Token"]);
    expect(one("fsharp", "let rec sum xs =")).toEqual(["sum"]);
  });

  it("name the parts of configuration without making symbols of them", () => {
    const text = "services:\n  web:\n    image: a\n\nvolumes:\n  data: {}\n";
    const { chunks, symbols: found } = chunkFile({ path: "a.yml", language: "yaml", text });
    expect(found).toEqual([]);
    expect(chunks).toMatchObject([{ startLine: 1, endLine: 6, names: ["services", "volumes"] }]);
  });
});
