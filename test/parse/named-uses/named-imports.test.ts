import { expect, test } from "vitest";

import { namedImports, namedPackage } from "../../../src/parse/named-uses/named-imports.ts";

function importsIn(text: string, language: string): readonly string[] {
  return namedImports(text, language).map(({ line, module, isWildcard, bindings }) => {
    const names = bindings.map(({ name, local }) => (name === local ? name : `${name}:${local}`));
    return `${line} ${module} ${isWildcard ? "*" : names.join(",")}`;
  });
}

test.for([
  [
    "perl",
    "use strict;\nuse A::B qw(one two),\n  qw(three);\nuse C;\nuse parent -norequire, 'D::E';\n",
    ["2 A::B one,two,three", "4 C *", "5 D::E *"],
  ],
  ["erlang", '-import(m, [a/1, b/2]).\n-include("x.hrl").\n', ["1 m a,b", "2 x.hrl *"]],
  ["clojure", "(ns a (:require [b.c :as d]\n [e.f :refer [g h]]))", ["1 b.c *:d", "2 e.f g,h"]],
  ["julia", 'using A: b, c\ninclude("x.jl")\n', ["1 A b,c", "2 x.jl "]],
  ["ocaml", "open Foo.Bar\nmodule H = Cohttp.Header\n", ["1 Foo.Bar *", "2 Cohttp.Header *:H"]],
  [
    "groovy",
    "package a\nimport b.C\nimport b.D as E\nimport c.*\n",
    ["2 b.C C", "3 b.D D:E", "4 c *"],
  ],
  [
    "powershell",
    ". $PSScriptRoot\\lib\\a.ps1\nImport-Module ./b.psm1\n",
    ["1 $PSScriptRoot/lib/a.ps1 *", "2 ./b.psm1 *"],
  ],
  ["objc", '#import "A.h"\n#import <B/C.h>\n', ["1 A.h *", "2 B/C.h *"]],
  [
    "solidity",
    'import {A, B as C} from "./x.sol";\nimport "./y.sol";\n',
    ["1 ./x.sol A,B:C", "2 ./y.sol *"],
  ],
  ["starlark", 'load(":x.bzl", "a", b = "c")\n', ["1 ./x.bzl a,c:b"]],
  ["pascal", "uses SysUtils, Foo;\n", ["1 SysUtils *", "1 Foo *"]],
  ["cmake", "include(cmake/F.cmake)\nadd_subdirectory(src)\n", ["1 cmake/F.cmake *", "2 src "]],
] as const)("%s", ([language, text, expected]) => {
  expect(importsIn(text, language)).toEqual(expected);
});

test("other languages have none, and the package of Groovy is known", () => {
  expect(importsIn("import a\n", "python")).toEqual([]);
  expect(namedPackage("// x\npackage a.b\n", "groovy")).toBe("a.b");
  expect(namedPackage("package a.b\n", "java")).toBe("");
});
