// Where packages are installed, by the manifests of a project.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { findDependencies } from "../../../src/engine/dependencies/find-dependencies.ts";
import {
  encodeEntries,
  encodeFacts,
  PackageFacts,
} from "../../../src/graph/packages/package-facts.ts";
import { readManifest } from "../../../src/graph/packages/read-manifest.ts";
import type { Source } from "../../../src/sources/registry/records.ts";
import { tree } from "../../helpers/tree.ts";

type Files = Readonly<Record<string, string>>;

function lookUp(
  files: Files,
  { env = {}, prepare }: { env?: Files; prepare?: (root: string) => void } = {},
) {
  const { path: root, dispose } = tree(files);
  onTestFinished(dispose);
  prepare?.(root);
  const entries = Object.entries(files)
    .filter(([path]) => !path.includes("node_modules/") && !path.includes("site-packages/"))
    .map(([path, text]) => {
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      return { path, stamp: "", text: encodeFacts(readManifest(path, text), folder) };
    });
  const source: Source = {
    id: 1,
    namespace: "app",
    root,
    prefix: "",
    include: [],
    exclude: [],
    addedAt: "2026-01-01T00:00:00Z",
  };
  const { found, leftOut } = findDependencies({
    packages: new PackageFacts(encodeEntries(entries, new Map())),
    sources: [source],
    folders: {
      virtualEnvironment: env["venv"] && join(root, env["venv"]),
      goModules: join(root, "go/pkg/mod"),
      cargoSources: join(root, "cargo/registry/src"),
    },
    allowedRoots: [],
  });
  return {
    found: found.map(({ installed: { ecosystem, name, version, folder } }) => [
      `${ecosystem} ${name} ${version}`,
      folder.slice(root.length + 1),
    ]),
    uses: found.map(({ uses }) => uses.map(({ folder }) => folder)),
    leftOut: leftOut.map(({ name, reason }) => `${name}: ${reason}`),
    written: found.map(({ installed: { written } }) => [...(written?.keys() ?? [])]),
    files: found.map(({ installed }) => installed.files),
  };
}

test("node_modules of a workspace come before those above it, and only manifests count, not lock files", () => {
  const manifest = '{ "dependencies": { "a": "^1.0.0", "alias": "npm:b@^2.0.0" } }';
  const { found, uses, leftOut } = lookUp({
    "package.json": manifest,
    "packages/one/package.json": manifest,
    "package-lock.json": '{ "packages": { "node_modules/other": { "version": "1.0.0" } } }',
    "node_modules/a/package.json": '{ "name": "a", "version": "1.0.0" }',
    "node_modules/other/package.json": '{ "name": "other", "version": "1.0.0" }',
    "node_modules/alias/package.json": '{ "name": "b", "version": "2.1.0" }',
    "packages/one/node_modules/a/package.json": '{ "name": "a", "version": "1.5.0" }',
  });
  expect(found).toEqual([
    ["npm a 1.0.0", "node_modules/a"],
    ["npm b 2.1.0", "node_modules/alias"],
    ["npm a 1.5.0", "packages/one/node_modules/a"],
  ]);
  expect(uses).toEqual([[""], ["", "packages/one"], ["packages/one"]]);
  expect(leftOut).toEqual([]);
});

test("pnpm's links stay inside of node_modules, and a link to a workspace is part of the project", () => {
  const { found, leftOut } = lookUp(
    {
      "package.json": '{ "dependencies": { "a": "^1.0.0", "own": "workspace:*" } }',
      "packages/own/package.json": '{ "name": "own", "version": "0.0.0" }',
      "node_modules/.pnpm/a@1.0.0/node_modules/a/package.json":
        '{ "name": "a", "version": "1.0.0" }',
    },
    {
      prepare: (root) => {
        symlinkSync(
          join(root, "node_modules/.pnpm/a@1.0.0/node_modules/a"),
          join(root, "node_modules/a"),
        );
        symlinkSync(join(root, "packages/own"), join(root, "node_modules/own"));
      },
    },
  );
  expect(found).toEqual([["npm a 1.0.0", "node_modules/.pnpm/a@1.0.0/node_modules/a"]]);
  expect(leftOut).toEqual([]);
});

test("a name that is a path is no package", () => {
  const { found, leftOut } = lookUp({
    "package.json": '{ "dependencies": { "../outside": "1.0.0", "..": "1.0.0" } }',
    "outside/package.json": '{ "name": "outside", "version": "1.0.0" }',
  });
  expect(found).toEqual([]);
  expect(leftOut).toEqual(["../outside: not installed", "..: not installed"]);
});

const SITE = "lib/python3.12/site-packages";

test("distributions of .venv have the files of their RECORD, and their readme", () => {
  const { found, files, written, leftOut } = lookUp({
    "pyproject.toml":
      '[project]\nname = "app"\ndependencies = ["Foo_Bar>=1", "editable", "absent"]\n',
    [`.venv/${SITE}/foo_bar-1.2.dist-info/METADATA`]:
      "Metadata-Version: 2.1\nName: foo-bar\nVersion: 1.2\nDescription-Content-Type: text/markdown\n\n# Foo\n",
    [`.venv/${SITE}/foo_bar-1.2.dist-info/RECORD`]:
      'foo/__init__.py,sha256=a,10\n"foo/odd,name.py",,\n../../../bin/foo,,\nfoo/__pycache__/x.pyc,,\nfoo_bar-1.2.dist-info/METADATA,,\n/etc/passwd,,\n',
    [`.venv/${SITE}/editable-1.0.dist-info/RECORD`]: "editable.pth,,\n",
    [`.venv/${SITE}/editable-1.0.dist-info/direct_url.json`]:
      '{"dir_info": {"editable": true}, "url": "file:///home/me/editable"}',
  });
  expect(found).toEqual([["pypi foo-bar 1.2", `.venv/${SITE}`]]);
  expect(files).toEqual([["foo/__init__.py", "foo/odd,name.py"]]);
  expect(written).toEqual([["METADATA", "README.md"]]);
  expect(leftOut).toEqual([
    "editable: installed from a folder of this machine; index that folder",
    "absent: not installed",
  ]);
});

test("the active virtual environment counts where the project has none", () => {
  const files = {
    "requirements.txt": "foo==1.0\n",
    [`elsewhere/${SITE}/foo-1.0.dist-info/RECORD`]: "foo.py,,\n",
  };
  expect(lookUp(files).leftOut).toEqual(["foo: not installed"]);
  expect(lookUp(files, { env: { venv: "elsewhere" } }).found).toEqual([
    ["pypi foo 1.0", `elsewhere/${SITE}`],
  ]);
});

test("modules of Go come from vendor or the module cache, without those that others need", () => {
  const { found, written, leftOut } = lookUp(
    {
      "go.mod":
        "module example.com/app\n\nrequire (\n\tgithub.com/BurntSushi/toml v1.3.2\n\texample.com/vendored v1.0.0\n\texample.com/deep v1.0.0 // indirect\n)\n",
      "go/pkg/mod/github.com/!burnt!sushi/toml@v1.3.2/decode.go": "package toml\n",
      "vendor/example.com/vendored/go.mod": "module example.com/vendored\n",
    },
    {
      prepare: (root) =>
        void mkdirSync(join(root, "go/pkg/mod/example.com/deep@v1.0.0"), { recursive: true }),
    },
  );
  expect(found).toEqual([
    ["go github.com/BurntSushi/toml 1.3.2", "go/pkg/mod/github.com/!burnt!sushi/toml@v1.3.2"],
    ["go example.com/vendored 1.0.0", "vendor/example.com/vendored"],
  ]);
  expect(written).toEqual([["go.mod"], []]);
  expect(leftOut).toEqual([]);
});

test("crates come from Cargo's registry, at the versions of the lock file", () => {
  const { found, leftOut } = lookUp({
    "Cargo.toml":
      '[package]\nname = "app"\nversion = "0.1.0"\n\n[dependencies]\nbytes = "1"\nserde = "1"\n',
    "Cargo.lock":
      '[[package]]\nname = "bytes"\nversion = "1.5.0"\nsource = "registry+https://x"\n\n[[package]]\nname = "serde"\nversion = "1.0.0"\nsource = "registry+https://x"\n\n[[package]]\nname = "deep"\nversion = "1.0.0"\nsource = "registry+https://x"\n',
    "cargo/registry/src/index.crates.io-1/bytes-1.5.0/src/lib.rs": "pub struct Bytes;\n",
    "cargo/registry/src/index.crates.io-1/deep-1.0.0/src/lib.rs": "pub struct Deep;\n",
  });
  expect(found).toEqual([
    ["cargo bytes 1.5.0", "cargo/registry/src/index.crates.io-1/bytes-1.5.0"],
  ]);
  expect(leftOut).toEqual(["serde: not installed"]);
});
