import { expect, test } from "vitest";

import { definitionsByLine } from "../../../src/parse/symbols/definitions-by-line.ts";
import { CODE_NAME_RULES } from "../../../src/parse/named-uses/code-name-rules.ts";
import { namesInCode } from "../../../src/parse/named-uses/code-names.ts";

function usesIn(
  text: string,
  language: string,
  modules: readonly string[] = [],
): readonly string[] {
  const rules = CODE_NAME_RULES[language];
  if (rules === undefined) throw new Error(`no ${language}`);
  const at = definitionsByLine([]);
  const definitions = { symbols: [], ownerAt: at, typeAt: at };
  return namesInCode(text, rules, definitions, new Set(modules)).map(
    ({ line, role, receiver = "", name }) => `${line} ${role} ${receiver} ${name}`,
  );
}

test("Perl: functions in full, classes, and methods of objects", () => {
  expect(usesIn("Foo::Bar::run(1);\nmy $x = Foo::Bar->new;\n$x->open;\n", "perl")).toEqual([
    "1 call Foo.Bar run",
    "2 value  Foo::Bar",
    "2 call Foo.Bar new",
    "3 call ? open",
  ]);
});

test("Perl: keys, quotes, patterns, here documents and documentation are no uses", () => {
  const text =
    "my %h = (run => 1);\n$h{run};\nqw(run);\ns/run(x)/run()/;\nprint <<EOT;\nrun(1)\nEOT\n\n=pod\n\nrun(2)\n\n=cut\nrun(3);\n";
  expect(usesIn(text, "perl")).toEqual(["14 call  run"]);
});

test("Erlang: modules, and no atoms, variables, types and exports", () => {
  const text =
    "-export([run/1]).\n-spec run(t()) -> t().\nrun(X) -> [all, m:go(X), F(X), ?MODULE:go(X)].\n";
  expect(usesIn(text, "erlang")).toEqual(["3 call  run", "3 call m go", "3 call self go"]);
});

test("Clojure: names of modules that are imported, but not their new names", () => {
  const text = "(ns a (:require [b.c :as d]))\n(d/run x)\n";
  const uses = usesIn(text, "clojure", ["d"]);
  expect(uses).toContain("2 call d run");
  expect(uses.some((use) => use.startsWith("1") && use.endsWith(" d"))).toBe(false);
});

test("PowerShell: commands, members of types, and no parameters", () => {
  const text = "Get-Thing -Name Find-It | Set-Thing\n[Util]::Run(1)\n$x.Open(2)\n";
  expect(usesIn(text, "powershell")).toEqual([
    "1 call  Get-Thing",
    "1 call  Set-Thing",
    "2 call Util Run",
    "3 call ? Open",
  ]);
});

test("Groovy: inheritance, and the results of methods have unknown types", () => {
  const text = 'class A extends B implements C {\n  D d = "${run(1)}"\n  E.make().go()\n}\n';
  expect(usesIn(text, "groovy")).toEqual([
    "1 type  A",
    "1 inherit  B",
    "1 inherit  C",
    "2 type  D",
    "2 call  run",
    "3 type  E",
    "3 call E make",
    "3 call ? go",
  ]);
});

test("Julia: symbols are no uses, ranges are", () => {
  expect(usesIn("x = [:Area, 1:area(y), z::Shape]\n", "julia")).toEqual([
    "1 call  area",
    "1 type  Shape",
  ]);
});
