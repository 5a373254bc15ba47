import * as fc from "fast-check";
import { expect, test } from "vitest";

import { stripDocs } from "../../../bench/quality/strip-docs.ts";

function strip(language: string, ...lines: readonly string[]): readonly string[] {
  return stripDocs(lines.join("\n"), language).split("\n");
}

test("blocks of doc comments become blank lines, others stay", () => {
  const text = ["/**", " * Adds.", " */", "int add() {", "  /* why */", "  return 1; // one", "}"];
  for (const language of ["java", "php", "typescript", "kotlin", "cpp"]) {
    expect(strip(language, ...text)).toEqual(["", "", "", ...text.slice(3)]);
  }
});

test("code after a block is kept, and so is a block that never ends", () => {
  expect(strip("typescript", "/** x */ f();")).toEqual(["/** x */ f();"]);
  expect(strip("typescript", "/** a */", "/** x", "f();")).toEqual(["", "/** x", "f();"]);
});

test("doc comments that have a syntax of their own are removed at any position", () => {
  expect(strip("rust", "//! Crate.", "  /// Adds.", "  // why", "  fn add() {}")).toEqual([
    "",
    "",
    "  // why",
    "  fn add() {}",
  ]);
  expect(strip("csharp", "/// <summary>", "/// Adds.", "int Add() {}")).toEqual([
    "",
    "",
    "int Add() {}",
  ]);
});

test("where they look like all comments, those before a definition go", () => {
  expect(strip("go", "// Package x.", "package x", "// Add adds.", "func Add() {}")).toEqual([
    "// Package x.",
    "package x",
    "",
    "func Add() {}",
  ]);
  expect(strip("go", "// T is.", "type T int", "\t// inner", "// why", "x()")).toEqual([
    "",
    "type T int",
    "\t// inner",
    "// why",
    "x()",
  ]);
  expect(strip("ruby", "#!/usr/bin/env ruby", "# Adds.", "def add; end", "# why", "x = 1")).toEqual(
    ["#!/usr/bin/env ruby", "", "def add; end", "# why", "x = 1"],
  );
  expect(strip("cpp", "// Adds.", "int add(int a) {", "// why", "return a;")).toEqual([
    "",
    "int add(int a) {",
    "// why",
    "return a;",
  ]);
});

test("docstrings of modules, classes and functions go; an empty body gets its pass", () => {
  expect(
    strip(
      "python",
      '"""Module."""',
      "class A:",
      '    """A class.',
      "",
      '    """',
      "    def one(",
      "        self, a: str = ':',",
      "    ):",
      "        '''Returns one.'''",
      "        return '''text'''",
      "    def two(self):",
      '        r"""Nothing else."""',
      "",
      "x = 1",
    ),
  ).toEqual([
    "",
    "class A:",
    "    pass",
    "",
    "",
    "    def one(",
    "        self, a: str = ':',",
    "    ):",
    "",
    "        return '''text'''",
    "    def two(self):",
    "        pass",
    "",
    "x = 1",
  ]);
});

test("a string that is no docstring stays", () => {
  const text = ["import a", "TEXT = '''", "def", "'''", "def g():", "    x = '''y'''"];
  expect(strip("python", ...text)).toEqual(text);
});

test("attributes with docs go in Elixir", () => {
  expect(
    strip("elixir", '@moduledoc """', "Text.", '"""', '@doc "Adds."', "@spec add", "def add do"),
  ).toEqual(["", "", "", "", "@spec add", "def add do"]);
});

test("line numbers stay what they were, and what stays is as it was", () => {
  const line = fc.constantFrom(
    '"""',
    '    """Doc."""',
    "/** a",
    " */",
    "/// a",
    "// a",
    "# a",
    "def f():",
    "class A:",
    "func f() {",
    "",
    '@doc """',
    "  x = 1",
  );
  const language = fc.constantFrom("python", "go", "rust", "ruby", "java", "cpp", "elixir");
  fc.assert(
    fc.property(fc.array(line), language, (lines, name) => {
      const stripped = strip(name, ...lines);
      expect(stripped).toHaveLength(Math.max(1, lines.length));
      const changed = stripped.filter((text, at) => text !== lines[at] && text.trim() !== "");
      expect(changed.every((text) => text.trim() === "pass")).toBe(true);
    }),
  );
});
