import { expect, test } from "vitest";

import { importer, meaning, resolverOf, type TestTree } from "./tree-of.ts";

const TREE: TestTree = {
  files: [
    "core/src/lib.rs",
    "core/src/config.rs",
    "core/src/config/file.rs",
    "core/src/net/mod.rs",
    "core/src/net/tcp.rs",
    "core/src/inline/deep.rs",
    "core/tests/all.rs",
    "core/tests/common/mod.rs",
    "core/build.rs",
    "cli/main.rs",
    "cli/args.rs",
    "helpers/src/lib.rs",
    "helpers/src/io.rs",
    "old/src/lib.rs",
    "old/src/util.rs",
  ],
  configs: {
    "Cargo.toml": `[workspace]
members = ["core", "cli", "helpers"]

[workspace.dependencies]
help = { path = "helpers", version = "1" }
`,
    "core/Cargo.toml": `[package]
name = "own-core"
edition = "2021"

[dependencies]
help = { workspace = true }
serde = "1"
`,
    "cli/Cargo.toml": `[package]
name = "own"
edition.workspace = true

[[bin]]
name = "own"
path = "main.rs"

[dependencies.core]
package = "own-core"
path = "../core"
`,
    "helpers/Cargo.toml": `[package]\nname = "own-helpers"\nedition = "2021"\n`,
    "old/Cargo.toml": `[package]\nname = "old"\n`,
  },
};

function ask(from: string, modules: readonly string[]): readonly string[] {
  const resolver = resolverOf(TREE);
  return modules.map((module) => meaning(resolver, importer(from), module));
}

test("paths go down from the root of the crate, and on into the file", () => {
  const modules = [
    "crate::config::Config::new",
    "crate::config::file",
    "crate::net::tcp::*",
    "crate::Error",
    "crate::inline::deep::X",
    "crate",
  ];
  expect(ask("core/src/net/tcp.rs", modules)).toEqual([
    "core/src/config.rs #Config.new",
    "core/src/config/file.rs",
    "[core/src/net/tcp.rs]",
    "core/src/lib.rs #Error",
    "core/src/inline/deep.rs #X",
    "core/src/lib.rs",
  ]);
});

test("self and super begin at the file's module, which one within it may mean otherwise", () => {
  expect(ask("core/src/net/mod.rs", ["self::tcp", "super::config", "tcp::Stream"])).toEqual([
    "core/src/net/tcp.rs",
    "core/src/config.rs + core/src/net/mod.rs",
    "core/src/net/tcp.rs #Stream",
  ]);
  expect(ask("core/src/net/tcp.rs", ["super::Listener", "super::super::config::Config"])).toEqual([
    "core/src/net/mod.rs + core/src/net/tcp.rs #Listener",
    "core/src/config.rs + core/src/net/mod.rs #Config",
  ]);
  expect(ask("core/src/config.rs", ["file::Raw", "super::net", "self::Config"])).toEqual([
    "core/src/config/file.rs #Raw",
    "core/src/net/mod.rs + core/src/config.rs",
    "core/src/config.rs #Config",
  ]);
});

test("crates are found by the name of their package, or that of a dependency", () => {
  expect(
    ask("core/tests/all.rs", ["own_core::net::tcp", "common::start", "crate::common"]),
  ).toEqual(["core/src/net/tcp.rs", "core/tests/common/mod.rs #start", "core/tests/common/mod.rs"]);
  expect(ask("cli/main.rs", ["core::config", "args::parse", "own_helpers::io"])).toEqual([
    "core/src/config.rs",
    "cli/args.rs #parse",
    "helpers/src/io.rs",
  ]);
  expect(ask("core/src/lib.rs", ["help::io::read", "::help::io"])).toEqual([
    "helpers/src/io.rs #read",
    "helpers/src/io.rs",
  ]);
});

test("others are external, and a type in front is the file's own", () => {
  expect(
    ask("core/src/lib.rs", ["std::io", "serde::Serialize", "Color::*", "r#config::X"]),
  ).toEqual(["external", "external", "core/src/lib.rs #Color", "core/src/config.rs #X"]);
});

test("before the edition of 2018 paths began at the root", () => {
  expect(ask("old/src/util.rs", ["util::x"])).toEqual(["old/src/util.rs #x"]);
  expect(ask("core/src/net/tcp.rs", ["config::Config"])).toEqual(["external"]);
});

test("a module is imported by its file, its folder, its crate", () => {
  const resolver = resolverOf(TREE);
  const parts = (path: string): readonly string[] => resolver.lastPartsOf(path, "rust");
  expect(parts("core/src/lib.rs")).toEqual(["lib", "self", "crate", "own_core", "super"]);
  expect(parts("core/src/net/mod.rs")).toEqual(["net", "self", "super"]);
  expect(parts("core/src/config.rs")).toEqual(["config", "self", "super"]);
});
