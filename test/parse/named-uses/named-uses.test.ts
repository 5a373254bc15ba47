import { expect, test } from "vitest";

import { usersIn } from "../../helpers/reference-users.ts";

test("functions of shell scripts: exact in their file, by name elsewhere", async () => {
  const users = await usersIn({
    "lib.sh": 'ROOT=/srv\nlog_line() {\n  echo "$ROOT"\n}\nlog_line start\n',
    "run.sh": '. ./lib.sh\nmain() {\n  log_line hi\n}\nmain\necho "$ROOT"\n',
  });
  expect(await users("log_line")).toEqual(["lib.sh:5 call", "run.sh:3 call ?"]);
  expect(await users("ROOT")).toEqual(["lib.sh:3 value"]);
  expect(await users("main")).toEqual(["run.sh:5 call"]);
});

test("types of schemas", async () => {
  const users = await usersIn({
    "a.proto": "message Account { string id = 1; }\nmessage Reply { Account account = 1; }\n",
    "b.proto": 'import "a.proto";\nmessage Other { Account account = 1; }\n',
  });
  expect(await users("Account", "a.proto")).toEqual(["a.proto:2 type", "b.proto:2 type ?"]);
});

test("targets of makefiles", async () => {
  const users = await usersIn({ Makefile: "all: compile\ncompile:\n\tcc x.c\n" });
  expect(await users("compile")).toEqual(["Makefile:1 value"]);
});

interface Project {
  readonly language: string;
  readonly files: Readonly<Record<string, string>>;
  readonly users: Readonly<Record<string, readonly string[]>>;
}

const PROJECTS: readonly Project[] = [
  {
    language: "Perl",
    files: {
      "lib/Foo/Bar.pm":
        "package Foo::Bar;\nsub new {\n  my ($class) = @_;\n  return bless {}, $class;\n}\nsub open_all {\n  my $self = shift;\n  $self->open_one(1);\n}\nsub open_one {\n  my ($self) = @_;\n}\n1;\n",
      "t/a.t":
        "use Foo::Bar qw(open_all);\nmy $x = Foo::Bar->new;\n$x->open_one();\nopen_all($x);\nFoo::Bar::open_all($x);\n",
    },
    users: {
      new: ["t/a.t:2 call"],
      open_one: ["lib/Foo/Bar.pm:8 call", "t/a.t:3 call ?"],
      open_all: ["t/a.t:4 call", "t/a.t:5 call"],
      "Foo::Bar": ["t/a.t:1 value", "t/a.t:2 value"],
    },
  },
  {
    language: "PowerShell",
    files: {
      "lib/Util.ps1":
        "function Get-Thing {\n  param($Name)\n}\nfunction Set-Thing { Get-Thing -Name 1 | Out-Null }\n",
      "run.ps1": ". $PSScriptRoot/lib/Util.ps1\n$x = get-thing -Name Set-Thing\n",
    },
    users: { "Get-Thing": ["lib/Util.ps1:4 call", "run.ps1:2 call"], "Set-Thing": [] },
  },
  {
    language: "Objective-C",
    files: {
      "Store.h":
        "#import <Foundation/Foundation.h>\n@interface Store : NSObject\n- (void)open:(int)path mode:(int)mode;\n@end\n",
      "Store.m":
        '#import "Store.h"\n@implementation Store\n- (void)open:(int)path mode:(int)mode {\n}\n- (void)run {\n  [self open:1 mode:2];\n}\n@end\n',
      "main.m":
        '#import "Store.h"\nvoid start(void) {\n  Store *one = [[Store alloc] init];\n  [one open:1\n       mode:2];\n}\n',
    },
    users: { "Store.open:mode:": ["Store.m:6 call", "main.m:4 call"] },
  },
  {
    language: "Groovy",
    files: {
      "src/a/b/A.groovy":
        "package a.b\nclass A {\n  def open(String x) {\n    return go(x)\n  }\n  private go(y) {\n    y\n  }\n}\n",
      "src/a/c/B.groovy":
        "package a.c\nimport a.b.A\nclass B extends A {\n  def run() {\n    A one = new A()\n    one.open('x')\n    open('y')\n  }\n}\n",
    },
    users: {
      A: ["src/a/c/B.groovy:3 inherit", "src/a/c/B.groovy:5 type", "src/a/c/B.groovy:5 call"],
      "A.go": ["src/a/b/A.groovy:4 call"],
      "A.open": ["src/a/c/B.groovy:6 call ?", "src/a/c/B.groovy:7 call"],
    },
  },
  {
    language: "Erlang",
    files: {
      "src/m.erl": "-module(m).\n-export([open/1]).\nopen(X) -> close(X).\nclose(X) -> X.\n",
      "src/n.erl":
        "-module(n).\n-import(m, [close/1]).\nrun(Y) ->\n  m:open(Y), close(Y), lists:open(Y).\n",
    },
    users: {
      open: ["src/n.erl:4 call"],
      close: ["src/m.erl:3 call", "src/n.erl:2 value", "src/n.erl:4 call"],
    },
  },
  {
    language: "Clojure",
    files: {
      "src/app/core.clj": "(ns app.core)\n(defn open-it [x] x)\n(defn run [open-it] (open-it 1))\n",
      "src/app/main.clj":
        "(ns app.main (:require [app.core :as core :refer [run]]))\n(defn go [] (core/open-it 1) (run 2) (map core/open-it []))\n",
    },
    users: {
      "open-it": ["src/app/main.clj:2 call", "src/app/main.clj:2 value"],
      run: ["src/app/main.clj:1 value", "src/app/main.clj:2 call"],
    },
  },
  {
    language: "OCaml",
    files: {
      "src/header.ml": "let size x = x\nlet twice x = size x + size x\n",
      "src/main.ml": "open Header\nlet run size = size 1\nlet go x = Header.twice x |> twice\n",
    },
    users: { size: ["src/header.ml:2 call"], twice: ["src/main.ml:3 call", "src/main.ml:3 value"] },
  },
  {
    language: "Julia",
    files: {
      "src/Geo.jl": 'module Geo\ninclude("area.jl")\nend\n',
      "src/area.jl": "struct Shape\n  size::Int\nend\narea(s::Shape) = s.size\n",
      "test/runtests.jl": "using Geo\nGeo.area(Shape(1))\nx = area(Shape(2))\n",
    },
    users: {
      area: ["test/runtests.jl:2 call", "test/runtests.jl:3 call"],
      Shape: ["src/area.jl:4 type", "test/runtests.jl:2 call", "test/runtests.jl:3 call"],
    },
  },
  {
    language: "R",
    files: {
      "R/a.R": "open_it <- function(x) x\nrun <- function(y) open_it(y)\n",
      "tests/testthat/test-a.R": "df <- open_it(1)\nrun(df)\n",
      "tests/testthat/test-b.R": "open_it(df)\n",
    },
    users: {
      open_it: ["R/a.R:2 call", "tests/testthat/test-a.R:1 call", "tests/testthat/test-b.R:1 call"],
      df: ["tests/testthat/test-a.R:2 value"],
    },
  },
  {
    language: "SQL",
    files: {
      "a.sql": "CREATE FUNCTION total(x int) RETURNS int AS $$ select x $$ LANGUAGE sql;\n",
      "b.sql":
        "SELECT total(1);\nCREATE PROCEDURE run_all() AS $$ BEGIN PERFORM TOTAL(2); END $$;\nCALL run_all();\n",
    },
    users: { total: ["b.sql:1 call", "b.sql:2 call"], run_all: ["b.sql:3 call"] },
  },
];

test.for(PROJECTS)(
  "$language: definitions of the file and of other files",
  async ({ files, users: expected }) => {
    const users = await usersIn(files);
    const found: Record<string, readonly string[]> = {};
    for (const name of Object.keys(expected)) {
      // oxlint-disable-next-line no-await-in-loop -- in memory
      found[name] = await users(name);
    }
    expect(found).toEqual(expected);
  },
);

test("Bazel: what a file loads, also under another name, and nothing else", async () => {
  const users = await usersIn({
    "a/x.bzl": "def my_rule(name):\n  pass\n",
    "b/x.bzl": "def my_rule(name):\n  pass\n",
    "b/BUILD": 'load("//a:x.bzl", "my_rule")\nmy_rule(name = "a")\nother(name = 1)\n',
    "a/BUILD": 'load(":x.bzl", r = "my_rule")\nr(name = "a")\n',
    "p.py": "def other(name):\n  pass\n",
  });
  expect(await users("my_rule", "a/x.bzl")).toEqual([
    "a/BUILD:1 value",
    "a/BUILD:2 call",
    "b/BUILD:2 call",
  ]);
  expect(await users("my_rule", "b/x.bzl")).toEqual([]);
  expect(await users("other")).toEqual([]);
});

test("OCaml: a module is visible below its definition", async () => {
  const users = await usersIn({
    "a.ml": "let one = Net.size\nmodule Net = struct\n  let size = 1\nend\nlet two = Net.size\n",
  });
  expect(await users("Net")).toEqual(["a.ml:5 value"]);
});
