import { expect, test } from "vitest";

import {
  isExample,
  isGeneratedName,
  isVendored,
  languageOf,
  fileRole,
  type Language,
  type FileRole,
} from "../../src/scan/classify.ts";

/** `path -> language role` for each path; `-` without a language. */
function classify(...paths: readonly string[]): string[] {
  return paths.map((path) => {
    const language = languageOf(path);
    return `${path} -> ${language ?? "-"} ${fileRole(path, language)}`;
  });
}

test.each<[string, Language]>([
  ["a.ts", "typescript"],
  ["a.mts", "typescript"],
  ["a.d.ts", "typescript"],
  ["a.tsx", "tsx"],
  ["a.jsx", "javascript"],
  ["a.cjs", "javascript"],
  ["a.py", "python"],
  ["a.pyi", "python"],
  ["a.go", "go"],
  ["A.java", "java"],
  ["a.kt", "kotlin"],
  ["a.rs", "rust"],
  ["a.c", "c"],
  ["a.h", "c"],
  ["a.hpp", "cpp"],
  ["a.cs", "csharp"],
  ["a.php", "php"],
  ["a.rb", "ruby"],
  ["Rakefile", "ruby"],
  ["a.swift", "swift"],
  ["a.scala", "scala"],
  ["a.exs", "elixir"],
  ["a.hs", "haskell"],
  ["a.lua", "lua"],
  ["a.sh", "bash"],
  [".bashrc", "bash"],
  ["a.zig", "zig"],
  ["a.ml", "ocaml"],
  ["a.R", "r"],
  ["a.dart", "dart"],
  ["a.sql", "sql"],
  ["a.scss", "css"],
  ["a.html", "html"],
  ["a.json", "json"],
  ["a.yml", "yaml"],
  ["a.toml", "toml"],
  ["pom.xml", "xml"],
  ["README.md", "markdown"],
  ["a.rst", "rst"],
  ["a.adoc", "asciidoc"],
  ["a.txt", "text"],
  ["LICENSE", "text"],
  ["a.proto", "protobuf"],
  ["a.graphql", "graphql"],
  ["Dockerfile", "dockerfile"],
  ["Dockerfile.dev", "dockerfile"],
  ["Makefile", "makefile"],
  ["Makefile.am", "makefile"],
  ["CMakeLists.txt", "cmake"],
  ["a.ps1", "powershell"],
  ["a.pl", "perl"],
  ["a.jl", "julia"],
  ["a.clj", "clojure"],
  ["a.erl", "erlang"],
  ["a.fs", "fsharp"],
  ["a.vue", "vue"],
  ["a.svelte", "svelte"],
  ["a.m", "objc"],
  ["build.gradle", "groovy"],
  ["Jenkinsfile", "groovy"],
  ["main.tf", "terraform"],
  ["a.nix", "nix"],
  ["a.vim", "vim"],
  ["a.tex", "tex"],
  ["go.mod", "ini"],
  ["requirements-dev.txt", "ini"],
  ["shop/requirements/production.txt", "ini"],
  ["requirements/docs/need.txt", "text"],
  ["dir.py/A.JAVA", "java"],
])("%s is %s", (path, language) => {
  expect(languageOf(path)).toBe(language);
});

test.each<[string, Language | undefined, string?]>([
  [".env.example", "ini"],
  ["deploy/server.env.sample", "ini"],
  ["my.cnf.j2", "ini"],
  ["database.yml.erb", "yaml"],
  ["notes.md.j2", "markdown"],
  ["page.html.erb", "html"],
  ["page.j2", "html", "{% extends 'base' %}"],
  ["page.j2", "html", "<!DOCTYPE html>"],
  ["login.defs.j2", undefined, "# {{ managed }}\nPASS_MAX_DAYS {{ days }}"],
  ["timeout.sh.j2", undefined, "#!/bin/sh\nTMOUT={{ seconds }}"],
  ["row.hbs", "html", "{{name}}"],
])("the template %s is %s", (path, language, start) => {
  expect(languageOf(path, start)).toBe(language);
});

test.each<[string, Language | undefined]>([
  ["#!/bin/sh\n", "bash"],
  ["#!/usr/bin/env python3.12\n", "python"],
  ["#! /usr/bin/env -S node --no-warnings\n", "javascript"],
  ["#!/usr/bin/env FOO=1 ruby\n", "ruby"],
  ["#!/usr/local/bin/perl5 -w", "perl"],
  ["#!/usr/bin/unheard-of\n", undefined],
  ["plain", undefined],
])("a file without extension that begins with %j is %s", (start, language) => {
  expect(languageOf("bin/tool", start)).toBe(language);
  expect(languageOf("bin/tool", Buffer.from(start))).toBe(language);
});

test("the content decides for shared extensions, and no name matches an object prototype's", () => {
  expect(languageOf("a.h", "#pragma once\nnamespace x {\n")).toBe("cpp");
  expect(languageOf("a.h", "#import <Foundation/Foundation.h>\n")).toBe("objc");
  expect(languageOf("a.h", "int f(void);\n")).toBe("c");
  expect(languageOf("de.ts", '<?xml version="1.0"?>\n<!DOCTYPE TS>')).toBe("xml");
  expect(languageOf("constructor")).toBeUndefined();
  expect(languageOf("a.toString")).toBeUndefined();
});

test("each file has the role of its use", () => {
  expect(
    classify(
      "src/parse.ts",
      "README.md",
      "docs/guide.html",
      "test/README.md",
      "notes.txt",
      "test/data/words.txt",
      "tsconfig.json",
      "test/fixtures/a.json",
      ".github/workflows/ci.yml",
      "Dockerfile",
      "Jenkinsfile",
      "schema.sql",
      "spec/openapi.yaml",
      "bin/tool",
      "src/contest.ts",
      "src/latest/a.ts",
      "src/testing.ts",
    ),
  ).toMatchInlineSnapshot(`
    [
      "src/parse.ts -> typescript code",
      "README.md -> markdown docs",
      "docs/guide.html -> html docs",
      "test/README.md -> markdown docs",
      "notes.txt -> text docs",
      "test/data/words.txt -> text tests",
      "tsconfig.json -> json config",
      "test/fixtures/a.json -> json tests",
      ".github/workflows/ci.yml -> yaml config",
      "Dockerfile -> dockerfile config",
      "Jenkinsfile -> groovy config",
      "schema.sql -> sql code",
      "spec/openapi.yaml -> yaml config",
      "bin/tool -> - code",
      "src/contest.ts -> typescript code",
      "src/latest/a.ts -> typescript code",
      "src/testing.ts -> typescript code",
    ]
  `);
});

test.each([
  "test/a.ts",
  "pkg/tests/a.rs",
  "src/__tests__/a.js",
  "spec/a_spec.rb",
  "spec/helper.rb",
  "parse_test.go",
  "test_parse.py",
  "parse_test.py",
  "conftest.py",
  "a.test.ts",
  "a.spec.tsx",
  "a.e2e.ts",
  "src/test/java/A.java",
  "ParserTest.java",
  "ParserIT.java",
  "TestParser.java",
  "ParserTests.cs",
  "Foo.Tests/Bar.cs",
  "ParserSpec.scala",
  "ParserTest.php",
  "AppTests/AppTests.swift",
  "a_test.exs",
  "a_unittest.cc",
  "tools/testing/selftests/bpf/lru.c",
  "llvm/unittests/ADT/map.cpp",
  "t/basic.t",
  "a.bats",
  "parse_SUITE.erl",
  "tests.py",
  "integration-tests/a.ts",
  "tests-integration/a.rs",
  "a_spec.lua",
  "test-all.R",
  "a.Tests.ps1",
])("%s is a test", (path) => {
  const role: FileRole = fileRole(path, languageOf(path));
  expect(role).toBe("tests");
});

test("pages of a tutorial are documentation and no examples", () => {
  const paths = ["docs/tutorial/a.md", "tutorials/a.rst", "examples/tutorials/a.md", "demo/a.md"];
  expect(paths.filter((path) => isExample(path, "docs"))).toEqual([
    "examples/tutorials/a.md",
    "demo/a.md",
  ]);
});

test("paths identify examples, vendored and generated files", () => {
  const paths = [
    "examples/a.ts",
    "pkg/demo/a.ts",
    "example_test.go",
    "vendor/a/b.go",
    "third_party/x.c",
    "api.pb.go",
    "api_pb2.py",
    "a.g.dart",
    "x/__generated__/a.ts",
    "yarn.lock",
    "a.min.js",
    "src/examples.ts",
    "src/generate.ts",
    "src/vendor.ts",
    "exampled/a.ts",
    "tutorial/a.ts",
  ];
  expect(paths.filter((path) => isExample(path, "code"))).toEqual([
    "examples/a.ts",
    "pkg/demo/a.ts",
    "example_test.go",
    "src/examples.ts",
    "tutorial/a.ts",
  ]);
  expect(paths.filter(isVendored)).toEqual(["vendor/a/b.go", "third_party/x.c"]);
  expect(paths.filter(isGeneratedName)).toEqual([
    "api.pb.go",
    "api_pb2.py",
    "a.g.dart",
    "x/__generated__/a.ts",
    "yarn.lock",
    "a.min.js",
  ]);
});

test("a file to copy or to fill in has the language of its settings or its prose, and code has none", () => {
  expect(
    classify(
      "etcd.conf.yml.sample",
      "a.conf.in",
      "app.toml.example",
      "a.conf.5.in",
      "a.h.in",
      "a.go.tmpl",
      "a.sample",
    ),
  ).toEqual([
    "etcd.conf.yml.sample -> yaml config",
    "a.conf.in -> ini config",
    "app.toml.example -> toml config",
    "a.conf.5.in -> text docs",
    "a.h.in -> - code",
    "a.go.tmpl -> - code",
    "a.sample -> - code",
  ]);
});
