import { expect, test } from "vitest";

import { importer, describeTarget, resolverOf, type TestTree } from "./tree-of.ts";

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

function resolveAll(from: string, modules: readonly string[]): readonly string[] {
  const resolver = resolverOf(TREE);
  return modules.map((module) => describeTarget(resolver, importer(from), module));
}

test("paths are resolved from the crate root, and their rest inside of the file", () => {
  const modules = [
    "crate::config::Config::new",
    "crate::config::file",
    "crate::net::tcp::*",
    "crate::Error",
    "crate::inline::deep::X",
    "crate",
  ];
  expect(resolveAll("core/src/net/tcp.rs", modules)).toEqual([
    "core/src/config.rs #Config.new",
    "core/src/config/file.rs",
    "[core/src/net/tcp.rs]",
    "core/src/lib.rs #Error",
    "core/src/inline/deep.rs #X",
    "core/src/lib.rs",
  ]);
});

test("self and super refer to the file's module, or to an inline module in it", () => {
  expect(resolveAll("core/src/net/mod.rs", ["self::tcp", "super::config", "tcp::Stream"])).toEqual([
    "core/src/net/tcp.rs",
    "core/src/config.rs + core/src/net/mod.rs",
    "core/src/net/tcp.rs #Stream",
  ]);
  expect(
    resolveAll("core/src/net/tcp.rs", ["super::Listener", "super::super::config::Config"]),
  ).toEqual([
    "core/src/net/mod.rs + core/src/net/tcp.rs #Listener",
    "core/src/config.rs + core/src/net/mod.rs #Config",
  ]);
  expect(resolveAll("core/src/config.rs", ["file::Raw", "super::net", "self::Config"])).toEqual([
    "core/src/config/file.rs #Raw",
    "core/src/net/mod.rs + core/src/config.rs",
    "core/src/config.rs #Config",
  ]);
});

test("crates are found by package name or dependency name", () => {
  expect(
    resolveAll("core/tests/all.rs", ["own_core::net::tcp", "common::start", "crate::common"]),
  ).toEqual(["core/src/net/tcp.rs", "core/tests/common/mod.rs #start", "core/tests/common/mod.rs"]);
  expect(resolveAll("cli/main.rs", ["core::config", "args::parse", "own_helpers::io"])).toEqual([
    "core/src/config.rs",
    "cli/args.rs #parse",
    "helpers/src/io.rs",
  ]);
  expect(resolveAll("core/src/lib.rs", ["help::io::read", "::help::io"])).toEqual([
    "helpers/src/io.rs #read",
    "helpers/src/io.rs",
  ]);
});

test("other crates are external, and a leading type name refers to the file itself", () => {
  expect(
    resolveAll("core/src/lib.rs", ["std::io", "serde::Serialize", "Color::*", "r#config::X"]),
  ).toEqual(["external", "external", "core/src/lib.rs #Color", "core/src/config.rs #X"]);
});

test("in editions before 2018, paths begin at the crate root", () => {
  expect(resolveAll("old/src/util.rs", ["util::x"])).toEqual(["old/src/util.rs #x"]);
  expect(resolveAll("core/src/net/tcp.rs", ["config::Config"])).toEqual(["external"]);
});

test("a module is imported by the name of its file, folder or crate", () => {
  const resolver = resolverOf(TREE);
  const parts = (path: string): readonly string[] => resolver.lastPartsOf(path, "rust");
  expect(parts("core/src/lib.rs")).toEqual(["lib", "self", "crate", "own_core", "super"]);
  expect(parts("core/src/net/mod.rs")).toEqual(["net", "self", "super"]);
  expect(parts("core/src/config.rs")).toEqual(["config", "self", "super"]);
});
