import { describe, expect, test } from "vitest";

import { importer, describeTarget, resolverOf, type TestTree } from "./tree-of.ts";

function resolveAll(tree: TestTree, from: string, modules: readonly string[]): readonly string[] {
  const resolver = resolverOf(tree);
  return modules.map((module) => describeTarget(resolver, importer(from), module));
}

describe("module paths that are file paths", () => {
  test("of Haskell", () => {
    const files = ["src/Text/Pandoc/Writer.hs", "test/Tests/Writer.hs", "app/Main.hs"];
    expect(
      resolveAll({ files }, "app/Main.hs", ["Text.Pandoc.Writer", "Tests.Writer", "Data.Map"]),
    ).toEqual(["src/Text/Pandoc/Writer.hs", "test/Tests/Writer.hs", "external"]);
  });

  test("of Lua", () => {
    const files = ["lua/lazy/init.lua", "lua/lazy/core/util.lua", "lua/other/core/util.lua"];
    const tree = { files };
    expect(
      resolveAll(tree, "lua/lazy/x.lua", ["lazy", "lazy.core.util", "lazy/core/util", "ffi"]),
    ).toEqual([
      "lua/lazy/init.lua",
      "lua/lazy/core/util.lua",
      "lua/lazy/core/util.lua",
      "external",
    ]);
    expect(resolverOf(tree).lastPartsOf("lua/lazy/init.lua", "lua")).toEqual(["lazy"]);
  });

  test("of Elixir, in snake case, with folders between", () => {
    const files = [
      "lib/my_app/accounts.ex",
      "lib/my_app/html_parser.ex",
      "lib/my_app_web/controllers/page_controller.ex",
    ];
    const modules = [
      "MyApp.Accounts",
      "MyApp.HTMLParser",
      "MyApp.Accounts.User",
      "MyAppWeb.PageController",
      "Plug.Conn",
    ];
    expect(resolveAll({ files }, "lib/my_app.ex", modules)).toEqual([
      "lib/my_app/accounts.ex",
      "lib/my_app/html_parser.ex",
      "lib/my_app/accounts.ex #User",
      "lib/my_app_web/controllers/page_controller.ex",
      "external",
    ]);
  });

  test("of OCaml, with the interface", () => {
    const files = ["src/parser.ml", "src/parser.mli", "bin/main.ml", "lib/base/list.ml"];
    expect(
      resolveAll({ files }, "bin/main.ml", ["Parser", "Parser.Ast", "Base.List", "Unix"]),
    ).toEqual([
      "src/parser.ml + src/parser.mli",
      "src/parser.ml + src/parser.mli #Ast",
      "lib/base/list.ml",
      "external",
    ]);
  });

  test("of Perl, Clojure, Julia and D", () => {
    const files = ["lib/A/B.pm", "src/own/my_core.clj", "src/Shapes.jl", "source/own/package.d"];
    const tree = { files };
    expect(resolveAll(tree, "x.pl", ["A::B", "JSON::PP"])).toEqual(["lib/A/B.pm", "external"]);
    expect(resolveAll(tree, "src/x.clj", ["own.my-core"])).toEqual(["src/own/my_core.clj"]);
    expect(resolveAll(tree, "src/x.jl", [".Shapes", "Shapes.area"])).toEqual([
      "src/Shapes.jl",
      "src/Shapes.jl #area",
    ]);
    expect(resolveAll(tree, "source/x.d", ["own"])).toEqual(["source/own/package.d"]);
  });
});

describe("imports of file paths", () => {
  test("in a shell", () => {
    const files = ["bin/run.sh", "lib/common.sh", "bin/local.sh"];
    const modules = [
      "./local.sh",
      "lib/common.sh",
      "$ROOT/lib/common.sh",
      '"$(dirname "$0")/local.sh"',
    ];
    expect(resolveAll({ files }, "bin/run.sh", [...modules, "/etc/profile"])).toEqual([
      "bin/local.sh",
      "lib/common.sh",
      "lib/common.sh",
      "bin/local.sh",
      "unknown",
    ]);
  });

  test("in style sheets", () => {
    const files = ["css/main.scss", "css/_vars.scss", "css/base/_index.scss", "css/old.css"];
    const modules = ["vars", "./base", "url('old.css')", "old.css?v=2", "~bootstrap/all", "./none"];
    expect(resolveAll({ files }, "css/main.scss", modules)).toEqual([
      "css/_vars.scss",
      "css/base/_index.scss",
      "css/old.css",
      "css/old.css",
      "external",
      "unknown",
    ]);
    expect(resolverOf({ files }).lastPartsOf("css/_vars.scss", "css")).toEqual(["vars", "scss"]);
    expect(resolverOf({ files }).lastPartsOf("css/base/_index.scss", "css")).toEqual([
      "index",
      "base",
      "scss",
    ]);
  });

  test("in HTML", () => {
    const files = ["site/index.html", "site/a b.js", "public/logo.css", "site/docs/index.html"];
    const modules = ["a%20b.js?v=1", "/logo.css", "docs/", "#top", "https://a.b/", "%E0%A4%A.js"];
    expect(resolveAll({ files }, "site/index.html", modules)).toEqual([
      "site/a b.js",
      "public/logo.css",
      "site/docs/index.html",
      "external",
      "external",
      "unknown",
    ]);
  });

  test("in schemas, and in languages without import rules", () => {
    const files = ["proto/own/a.proto", "proto/own/b.proto", "x/a.tcl", "x/b.tcl"];
    const modules = ["own/b.proto", "google/protobuf/any.proto"];
    expect(resolveAll({ files }, "proto/own/a.proto", modules)).toEqual([
      "proto/own/b.proto",
      "external",
    ]);
    expect(resolveAll({ files }, "x/a.tcl", ["b.tcl", "c.tcl"])).toEqual(["x/b.tcl", "unknown"]);
  });
});

test("Dart packages are named in pubspec.yaml", () => {
  const tree: TestTree = {
    files: ["app/lib/main.dart", "app/lib/src/a.dart", "core/lib/core.dart"],
    configs: { "app/pubspec.yaml": "name: app\n", "core/pubspec.yaml": "name: own_core\n" },
  };
  const modules = [
    "src/a.dart",
    "package:app/src/a.dart",
    "package:own_core/core.dart",
    "package:own_core/none.dart",
    "package:flutter/material.dart",
    "dart:io",
  ];
  expect(resolveAll(tree, "app/lib/main.dart", modules)).toEqual([
    "app/lib/src/a.dart",
    "app/lib/src/a.dart",
    "core/lib/core.dart",
    "unknown",
    "external",
    "external",
  ]);
});

describe("Swift targets", () => {
  const tree: TestTree = {
    files: [
      "Source/Core/Session.swift",
      "Source/Request.swift",
      "Tests/NetTests/SessionTests.swift",
      "Plugins/Gen/main.swift",
    ],
    configs: {
      "Package.swift": `let package = Package(targets: [
        .target(name: "Net", dependencies: [.product(name: "NIO", package: "nio")], path: "Source"),
        .testTarget(name: "NetTests", dependencies: ["Net"])])`,
    },
  };

  test("consist of all files below their folders", () => {
    const modules = ["Net", "Foundation", "struct Net.Session", "Gen"];
    expect(resolveAll(tree, "Tests/NetTests/SessionTests.swift", modules)).toEqual([
      "[Source/Request.swift Source/Core/Session.swift]",
      "external",
      "[Source/Request.swift Source/Core/Session.swift] #Session",
      "[Plugins/Gen/main.swift]",
    ]);
  });

  test("see their own files and are imported by name", () => {
    const resolver = resolverOf(tree);
    expect(resolver.siblingsOf(importer("Source/Request.swift"))).toEqual([
      "Source/Core/Session.swift",
    ]);
    expect(resolver.lastPartsOf("Source/Core/Session.swift", "swift")).toEqual(["Net"]);
    expect(resolver.lastPartsOf("Plugins/Gen/main.swift", "swift")).toEqual(["Gen"]);
  });
});
