import { expect, test } from "vitest";

import {
  encodeEntries,
  encodeFacts,
  PackageFacts,
} from "../../../src/graph/packages/package-facts.ts";
import { isManifest, readManifest } from "../../../src/graph/packages/read-manifest.ts";

/** The content of a manifest: "name version" of packages, with "=" for a pinned version and the alias at the end. */
function said(path: string, text: string): readonly string[] {
  const { defines, requires } = readManifest(path, text);
  return [
    ...defines.map(
      ({ name, version, importName }) => `is ${[name, version, importName].join(" ").trim()}`,
    ),
    ...requires.map(({ name, version, isLocked, folder, alias }) =>
      [name, isLocked ? "=" : "~", version, folder, alias].filter((part) => part !== "").join(" "),
    ),
  ];
}

const entry = (path: string, text: string, folder: string) => ({
  path,
  stamp: "1",
  text: encodeFacts(readManifest(path, text), folder),
});

test("npm: manifests, aliases and locks with folders of workspaces", () => {
  const manifest =
    '{ "name": "@a/b", "version": "1.2.0", "dependencies": { "c": "^1.0.0", "d": "npm:e@2.0.0" } }';
  expect(said("package.json", manifest)).toEqual(["is @a/b 1.2.0", "c ~ ^1.0.0", "e = 2.0.0 d"]);
  const lock = {
    packages: {
      "": {},
      "node_modules/c": { version: "1.3.0" },
      "node_modules/c/node_modules/x": { version: "9.0.0" },
      "packages/p/node_modules/@s/c": { version: "1.0.1" },
      "node_modules/own": { link: true },
    },
  };
  expect(said("package-lock.json", JSON.stringify(lock))).toEqual([
    "c = 1.3.0",
    "@s/c = 1.0.1 packages/p",
  ]);
});

test("pnpm and Yarn locks of several versions of these programs", () => {
  const pnpm =
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      ufo:\n        specifier: ^1.5.4\n        version: 1.5.4\n  packages/a:\n    devDependencies:\n      '@s/b':\n        specifier: ^2.0.0\n        version: 2.1.0(peer@1.0.0)\n\npackages:\n\n  far@3.0.0:\n    resolution: {integrity: x}\n";
  expect(said("pnpm-lock.yaml", pnpm)).toEqual([
    "ufo = 1.5.4",
    "@s/b = 2.1.0 packages/a",
    "far = 3.0.0",
  ]);
  expect(
    said(
      "pnpm-lock.yaml",
      "dependencies:\n  ufo: 1.0.0\n\npackages:\n\n  /far/2.0.0:\n    dev: true\n",
    ),
  ).toEqual(["ufo = 1.0.0", "far = 2.0.0"]);
  expect(
    said(
      "yarn.lock",
      '# yarn\n\n"@s/b@^1.0.0", "@s/b@^1.1.0":\n  version "1.2.0"\n\nx@npm:y@^2.0.0:\n  version "2.0.1"\n',
    ),
  ).toEqual(["@s/b = 1.2.0", "@s/b = 1.2.0", "y = 2.0.1 x"]);
  expect(
    said(
      "yarn.lock",
      '"c@npm:^1.0.0":\n  version: 1.0.5\n\n"own@workspace:.":\n  version: 0.0.0-use.local\n',
    ),
  ).toEqual(["c = 1.0.5"]);
});

test("Go modules with blocks and replacements", () => {
  const text =
    "module example.com/a // comment\n\ngo 1.20\n\nrequire (\n\tgithub.com/b/c v1.2.3\n\tgithub.com/d/e/v2 v2.0.0+incompatible // indirect\n)\nrequire x.org/y v0.1.0\nreplace x.org/y => x.org/z v0.2.0\nreplace github.com/b/c => ../c\n";
  expect(said("go.mod", text)).toEqual([
    "is example.com/a",
    "github.com/b/c = 1.2.3",
    "github.com/d/e/v2 = 2.0.0",
    "x.org/z = 0.2.0 x.org/y",
  ]);
});

test("crates with renamed dependencies, and the versions of a workspace", () => {
  const text =
    '[package]\nname = "a-b"\nversion.workspace = true\n\n[lib]\nname = "ab"\n\n[dependencies]\nbytes = "1"\nfoo = { package = "bar", version = "=2.0.1" }\n\n[target.\'cfg(unix)\'.dependencies]\nlibc = "0.2"\n';
  expect(said("Cargo.toml", text)).toEqual([
    "is a-b workspace ab",
    "bytes ~ 1",
    "bar = 2.0.1 foo",
    "libc ~ 0.2",
  ]);
  const lock =
    'version = 3\n\n[[package]]\nname = "own"\nversion = "0.1.0"\n\n[[package]]\nname = "bytes"\nversion = "1.5.0"\nsource = "registry+x"\n';
  expect(said("Cargo.lock", lock)).toEqual(["bytes = 1.5.0"]);
  const root = encodeFacts(
    readManifest("Cargo.toml", '[workspace.package]\nversion = "3.0.0"\n'),
    "",
  );
  const facts = new PackageFacts(root + encodeFacts(readManifest("a/Cargo.toml", text), "a"));
  expect(facts.defined).toMatchObject([{ name: "a-b", version: "3.0.0", folder: "a" }]);
});

test("Python: projects, requirements and locks have one spelling of a name", () => {
  expect(
    said(
      "pyproject.toml",
      '[project]\nname = "Flask_X"\nversion = "1.0"\ndependencies = ["click>=8.0", "Jinja2==3.1.2; python_version > \'3\'"]\n\n[tool.poetry.group.dev.dependencies]\npytest = "^8"\n',
    ),
  ).toEqual(["is flask-x 1.0", "click ~ >=8.0", "jinja2 = 3.1.2", "pytest ~ ^8"]);
  expect(
    said(
      "setup.cfg",
      "[metadata]\nname = Old.Name\nversion = attr: x.y\n\n[options]\ninstall_requires =\n  click>=8\n",
    ),
  ).toEqual(["is old-name", "click ~ >=8"]);
  expect(
    said("setup.py", 'setup(name="six", version="1.16", install_requires=["a==1.0"])'),
  ).toEqual(["is six 1.16", "a = 1.0"]);
  expect(
    said("requirements/dev.txt", "# all\n-r base.txt\nclick[x]==8.1.7 --hash=sha256:0\nurllib3\n"),
  ).toEqual(["click = 8.1.7", "urllib3 ~"]);
  const uv =
    '[[package]]\nname = "click"\nversion = "8.3.2"\nsource = { registry = "x" }\n\n[[package]]\nname = "own"\nversion = "1"\nsource = { editable = "." }\n';
  expect(said("uv.lock", uv)).toEqual(["click = 8.3.2"]);
  expect(said("Pipfile.lock", '{ "default": { "a": { "version": "==1.0.0" } } }')).toEqual([
    "a = 1.0.0",
  ]);
  const installed = "Metadata-Version: 2.4\nName: Flask_X\nVersion: 3.1.0\nSummary: A\n";
  expect(said("METADATA", installed)).toEqual(["is flask-x 3.1.0"]);
  expect(said("METADATA", "Name: notes\nVersion: 1\n")).toEqual([]);
});

test("Maven fills in properties and parents, and Gradle has catalogues and locks", () => {
  const pom =
    "<project><parent><groupId>g</groupId><version>2.0</version></parent><artifactId>a</artifactId><properties><v>1.5</v></properties><dependencies><dependency><groupId>x.y</groupId><artifactId>z</artifactId><version>${v}</version></dependency><dependency><groupId>${project.groupId}</groupId><artifactId>b</artifactId></dependency></dependencies></project>";
  expect(said("pom.xml", pom)).toEqual(["is g:a 2.0", "x.y:z = 1.5", "g:b ~"]);
  expect(said("pom.xml", "<project><artifactId>a</project>")).toEqual([]);
  expect(
    said(
      "build.gradle",
      'group = "g.h"\nversion = "1.0"\narchivesBaseName = "n"\nimplementation "a.b:c:1.2.3"\n',
    ),
  ).toEqual(["is g.h:n 1.0", "a.b:c = 1.2.3"]);
  expect(said("gradle.lockfile", "# x\na.b:c:1.2.3=compileClasspath\n")).toEqual(["a.b:c = 1.2.3"]);
  expect(
    said(
      "gradle/libs.versions.toml",
      '[versions]\nv = "1.1.0"\n\n[libraries]\nc = { module = "a.b:c", version.ref = "v" }\n',
    ),
  ).toEqual(["a.b:c = 1.1.0"]);
});

test("Composer, RubyGems, NuGet and Swift", () => {
  expect(
    said("composer.json", '{ "name": "A/b", "require": { "php": ">=8", "m/n": "^3.0" } }'),
  ).toEqual(["is a/b", "m/n ~ ^3.0"]);
  expect(said("composer.lock", '{ "packages": [{ "name": "m/n", "version": "v3.1.0" }] }')).toEqual(
    ["m/n = 3.1.0"],
  );
  expect(
    said(
      "a.gemspec",
      'Gem::Specification.new do |s|\n  s.name = "a"\n  s.add_dependency "rack", "~> 2.0"\nend\n',
    ),
  ).toEqual(["is a", "rack ~ ~> 2.0"]);
  expect(
    said(
      "Gemfile.lock",
      "PATH\n  remote: .\n  specs:\n    own (1.0)\n\nGEM\n  specs:\n    rack (2.2.3)\n      x (>= 1)\n",
    ),
  ).toEqual(["rack = 2.2.3"]);
  expect(said("Gemfile", 'gem "rack", "~> 2"\n')).toEqual(["rack ~ ~> 2"]);
  expect(
    said(
      "src/A.B.csproj",
      '<Project><PropertyGroup><Version>1.0.0</Version></PropertyGroup><PackageReference Include="X.Y" Version="2.0.0" /></Project>',
    ),
  ).toEqual(["is a.b 1.0.0", "x.y = 2.0.0"]);
  expect(
    said(
      "packages.lock.json",
      '{ "dependencies": { "net8.0": { "X.Y": { "type": "Direct", "resolved": "2.0.0" } } } }',
    ),
  ).toEqual(["x.y = 2.0.0"]);
  expect(
    said(
      "Package.swift",
      'let package = Package(name: "A", dependencies: [.package(url: "https://x.org/B.git", exact: "1.0.0")])',
    ),
  ).toEqual(["is a", "b = 1.0.0"]);
  expect(
    said(
      "Package.resolved",
      '{ "pins": [{ "location": "https://x.org/B.git", "state": { "version": "1.0.0" } }] }',
    ),
  ).toEqual(["b = 1.0.0"]);
});

test("files that say nothing of packages, of test data, and without the form of their name", () => {
  expect(["package.json", "a/go.mod", "x.csproj", "requirements.txt"].map(isManifest)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(
    ["a.json", "notes.txt", "test/fixtures/package.json", "node_modules/a/package.json"].map(
      isManifest,
    ),
  ).toEqual([false, false, false, false]);
  for (const path of [
    "package.json",
    "package-lock.json",
    "pyproject.toml",
    "Cargo.toml",
    "pom.xml",
    "composer.lock",
    "Package.resolved",
    "packages.lock.json",
    "Pipfile.lock",
  ]) {
    for (const text of ["", "[", "null", '{ "dependencies": 1, "packages": [1, null] }'])
      expect(said(path, text)).toEqual([]);
  }
});

test("the text of the facts has the version of a tag or folder, and leaves out names that would break its lines", () => {
  const entries = [
    entry("go.mod", "module example.com/a\n", ""),
    entry("sub/go.mod", "module example.com/a/sub\n", "sub"),
    entry("package.json", '{ "name": "a\\tb", "dependencies": { "ok": "1.0.0" } }', ""),
  ];
  const facts = new PackageFacts(encodeEntries(entries, new Map([["", "sub/v0.3.0 v1.2.0"]])));
  expect(facts.defined.map(({ name, version, manifest }) => [name, version, manifest])).toEqual([
    ["example.com/a", "1.2.0", "go.mod"],
    ["example.com/a/sub", "0.3.0", "sub/go.mod"],
  ]);
  expect([...facts.allRequired()]).toEqual([
    {
      ecosystem: "npm",
      name: "ok",
      version: "1.0.0",
      isLocked: true,
      folder: "",
      alias: "",
      manifest: "package.json",
    },
  ]);
  expect(facts.isRequired("npm", "ok")).toBe(true);
  expect(facts.isRequired("npm", "o")).toBe(false);
  expect(facts.packagesAround("sub/x.go").map(({ name }) => name)).toEqual([
    "example.com/a/sub",
    "example.com/a",
  ]);
});
