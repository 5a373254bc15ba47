import { expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import type { IndexReader, SymbolHit } from "../../src/index/port.ts";
import { memoryIndex } from "../helpers/memory-index.ts";

interface Project {
  readonly graph: ReferenceGraph;
  readonly reader: IndexReader;
  /** Returns the definition with that qualified name, in that file if several files have one. */
  readonly symbol: (qualifiedName: string, path?: string) => Promise<SymbolHit>;
  /** Returns its users: "path:line role" for exact references, with " ?" after those by name. */
  readonly users: (qualifiedName: string, path?: string) => Promise<readonly string[]>;
}

async function project(files: Readonly<Record<string, string>>): Promise<Project> {
  const reader = await memoryIndex(files);
  const graph = await ReferenceGraph.open(reader, (path) => files[path]);
  const symbol = async (qualifiedName: string, path?: string): Promise<SymbolHit> => {
    const name = qualifiedName.split(".").at(-1) ?? "";
    const found = (await reader.symbolsNamed(name, 50)).find(
      (one) => one.qualifiedName === qualifiedName && (path === undefined || one.path === path),
    );
    if (found === undefined) throw new Error(`no ${qualifiedName}`);
    return found;
  };
  const users = async (qualifiedName: string, path?: string): Promise<readonly string[]> =>
    (await graph.referencesTo(await symbol(qualifiedName, path))).map(
      (one) => `${one.path}:${one.line} ${one.role}${one.certainty === "exact" ? "" : " ?"}`,
    );
  return { graph, reader, symbol, users };
}

test("imports decide which of two definitions a name refers to", async () => {
  const { users } = await project({
    "src/disk.ts": "export function open(): void {}\n",
    "src/net.ts": "export function open(): void {}\n",
    "src/a.ts": 'import { open } from "./disk.ts";\nopen();\n',
    "src/b.ts": 'import { open as start } from "./net.js";\nstart();\n',
    "src/c.ts": 'import * as net from "./net";\nnet.open();\n',
    "src/d.ts": "declare const open: () => void;\nopen();\n",
  });
  expect(await users("open", "src/disk.ts")).toEqual(["src/a.ts:1 import", "src/a.ts:2 call"]);
  expect(await users("open", "src/net.ts")).toEqual([
    "src/b.ts:1 import",
    "src/b.ts:2 call",
    "src/c.ts:2 call",
  ]);
});

test("re-exported names are resolved to their definitions", async () => {
  const { users } = await project({
    "src/deep/log.ts": "export class Log {\n  write(): void {}\n}\nexport default Log;\n",
    "src/deep/index.ts": 'export * from "./log.ts";\nexport { Log as Logger } from "./log.ts";\n',
    "src/a.ts": 'import { Log } from "./deep";\nnew Log().write();\n',
    "src/b.ts": 'import { Logger } from "./deep/index.js";\nlet log: Logger;\n',
    "src/c.ts": 'import Anything from "./deep/log";\nnew Anything();\n',
  });
  expect(await users("Log")).toEqual([
    "src/a.ts:1 import",
    "src/a.ts:2 call",
    "src/b.ts:1 import",
    "src/b.ts:2 type",
    "src/c.ts:1 import",
    "src/c.ts:2 call",
    "src/deep/index.ts:2 import",
    "src/deep/log.ts:4 value",
  ]);
  expect(await users("Log.write")).toEqual(["src/a.ts:2 call"]);
});

test("a method call is resolved by the receiver's type, or by name if the type is unknown", async () => {
  const { users } = await project({
    "src/store.ts": [
      "export class Store {",
      "  get(key: string): Entry | undefined { return this.#find(key); }",
      "  #find(key: string): Entry | undefined { return undefined; }",
      "}",
      "export interface Entry { readonly value: Value; }",
      "export class Value { get(): number { return 1; } }",
      "export function openStore(): Promise<Store> { throw new Error(); }",
    ].join("\n"),
    "src/a.ts": [
      'import { openStore, type Store } from "./store.ts";',
      "export async function main(given: Store, list: Store[], any: any) {",
      "  const store = await openStore();",
      '  store.get("a")?.value.get();',
      '  given.get("b");',
      '  list.map((one) => one.get("c"));',
      '  any.get("d");',
      '  new Map<string, number>().get("e");',
      "}",
    ].join("\n"),
  });
  expect(await users("Store.get")).toEqual([
    "src/a.ts:4 call",
    "src/a.ts:5 call",
    "src/a.ts:6 call",
    "src/a.ts:7 call ?",
  ]);
  expect(await users("Value.get")).toEqual(["src/a.ts:4 call", "src/a.ts:7 call ?"]);
  expect(await users("Store.#find")).toEqual(["src/store.ts:2 call"]);
  expect(await users("Entry.value")).toEqual(["src/a.ts:4 value"]);
});

test("uses of a method include those of methods that it overrides or that override it", async () => {
  const { graph, symbol, users } = await project({
    "src/shape.ts": "export interface Shape {\n  area(): number;\n}\n",
    "src/round.ts":
      'import type { Shape } from "./shape.ts";\nexport class Round implements Shape {\n  area() { return 3; }\n}\nexport class Ring extends Round {}\n',
    "src/use.ts":
      'import type { Shape } from "./shape.ts";\nimport { Ring } from "./round.ts";\nexport const all = (shape: Shape) => shape.area();\nnew Ring().area();\n',
  });
  expect(await users("Round.area")).toEqual(["src/use.ts:3 call", "src/use.ts:4 call"]);
  expect(await users("Shape.area")).toEqual(["src/use.ts:3 call", "src/use.ts:4 call"]);
  const names = async (qualifiedName: string): Promise<readonly string[]> =>
    (await graph.implementationsOf(await symbol(qualifiedName))).map((one) => one.qualifiedName);
  expect(await names("Shape")).toEqual(["Round", "Ring"]);
  expect(await names("Shape.area")).toEqual(["Round.area"]);
});

test("the uses of a definition have their targets", async () => {
  const { graph, symbol } = await project({
    "src/a.ts":
      'import { write } from "./log.ts";\nfunction inner() { write(); }\nexport function outer() {\n  inner();\n  console.log(1);\n}\n',
    "src/log.ts": "export function write() {}\n",
  });
  const out = await graph.usesFrom(await symbol("outer"));
  expect(out.map(({ name, line, certainty }) => [name, line, certainty])).toEqual([
    ["inner", 4, "exact"],
  ]);
  const [deeper] = await graph.usesFrom(await symbol("inner"));
  expect(deeper?.targets.map(({ path }) => path)).toEqual(["src/log.ts"]);
});

test("the importers and the imports of a file", async () => {
  const { graph } = await project({
    "src/base/index.ts": 'export * from "./log.ts";\n',
    "src/base/log.ts": "export const log = 1;\n",
    "src/a.ts": 'import { log } from "./base/log.ts";\nimport "node:fs";\n',
    "src/b.ts": '\nimport { log } from "./base";\n',
    "other/base/log.ts": "export const log = 2;\n",
    "other/c.ts": 'import { log } from "./base/log.ts";\n',
  });
  expect(await graph.importersOf("src/base/log.ts")).toEqual([
    { path: "src/a.ts", line: 1 },
    { path: "src/base/index.ts", line: 1 },
  ]);
  expect(await graph.importersOf("src/base/index.ts")).toEqual([{ path: "src/b.ts", line: 2 }]);
  expect(await graph.importsOf("src/a.ts")).toEqual([{ path: "src/base/log.ts", line: 1 }]);
});

test("resolving cyclic imports and cyclic inheritance ends", async () => {
  const { users } = await project({
    "src/a.ts": 'export * from "./b.ts";\nexport class A extends A {}\n',
    "src/b.ts": 'export * from "./a.ts";\nimport { nothing } from "./a.ts";\nnothing();\n',
    "src/c.ts":
      'import { A } from "./b.ts";\nclass B extends C {}\nclass C extends B {}\nnew C().missing();\nnew A();\n',
  });
  expect(await users("A")).toEqual(["src/a.ts:2 inherit", "src/c.ts:1 import", "src/c.ts:5 call"]);
});

test("getters, nested lists and fields with lists are evaluated", async () => {
  const { users } = await project({
    "src/a.ts": [
      "export class Leaf { fall(): void {} }",
      "export class Tree {",
      "  readonly rows: Leaf[][] = [];",
      "  get first(): Leaf { return new Leaf(); }",
      "  all(): Leaf[] { return []; }",
      "}",
      "export function main(tree: Tree) {",
      "  tree.first.fall();",
      "  for (const row of tree.rows) row.map((leaf) => leaf.fall());",
      "  tree.all().filter(Boolean).at(0)?.fall();",
      "  tree.rows.length;",
      "}",
    ].join("\n"),
  });
  expect(await users("Leaf.fall")).toEqual([
    "src/a.ts:8 call",
    "src/a.ts:9 call",
    "src/a.ts:10 call",
  ]);
});

test("Python modules: dotted imports, re-exports and imported modules", async () => {
  const { users } = await project({
    "pkg/__init__.py": "from .core import Engine\n",
    "pkg/core.py":
      "class Engine:\n    def run(self):\n        return self._step()\n\n    def _step(self):\n        pass\n",
    "pkg/util/text.py": "def trim(x):\n    return x\n",
    "main.py":
      "import pkg.util.text\nfrom pkg import Engine, core\nfrom pkg.util import text as t\n\nengine = Engine()\nengine.run()\ncore.Engine().run()\npkg.util.text.trim('')\nt.trim('')\n",
  });
  expect(await users("Engine")).toEqual([
    "main.py:2 import",
    "main.py:5 call",
    "main.py:7 call",
    "pkg/__init__.py:1 import",
  ]);
  expect(await users("Engine.run")).toEqual(["main.py:6 call", "main.py:7 call"]);
  expect(await users("Engine._step")).toEqual(["pkg/core.py:3 call"]);
  expect(await users("trim")).toEqual(["main.py:8 call", "main.py:9 call"]);
});

test("renamed exports and default exports resolve to their definitions", async () => {
  const { users } = await project({
    "src/a.ts":
      "class Inner {\n  open(): void {}\n}\nexport { Inner as Outer };\nexport default function make(): Inner { return new Inner(); }\n",
    "src/b.ts":
      'import { Outer } from "./a.ts";\nimport build from "./a.ts";\nnew Outer().open();\nbuild().open();\n',
    "lib/c.js": "class Store {\n  load() {}\n}\nmodule.exports = Store;\n",
    "lib/d.js": 'const Store = require("./c");\nconst store = new Store();\nstore.load();\n',
  });
  expect(await users("Inner.open")).toEqual(["src/b.ts:3 call", "src/b.ts:4 call"]);
  expect(await users("make")).toEqual(["src/b.ts:2 import", "src/b.ts:4 call"]);
  expect(await users("Store.load")).toEqual(["lib/d.js:3 call"]);
  expect(await users("Store")).toEqual(["lib/c.js:4 value", "lib/d.js:2 call"]);
});

test("Go types with all methods of an interface implement it, and subclasses of a renamed export count", async () => {
  const { graph, symbol } = await project({
    "go.mod": "module example.com/app\n",
    "shape.go":
      "package app\n\ntype Shape interface {\n\tArea() int\n\tName() string\n}\n\ntype Half struct{}\n\nfunc (h Half) Area() int { return 1 }\n",
    "round.go":
      'package app\n\ntype Round struct{}\n\nfunc (r *Round) Area() int { return 3 }\n\nfunc (r *Round) Name() string { return "" }\n',
    "oval.go":
      'package app\n\ntype Oval struct{}\n\nfunc (o Oval) Area() int { return 3 }\n\nfunc (o Oval) Name() string { return "" }\n',
    "src/base.ts": "class Base {}\nexport { Base as Root };\n",
    "src/leaf.ts": 'import { Root } from "./base.ts";\nexport class Leaf extends Root {}\n',
  });
  const names = async (qualifiedName: string): Promise<readonly string[]> =>
    (await graph.implementationsOf(await symbol(qualifiedName))).map((one) => one.qualifiedName);
  expect(await names("Shape")).toEqual(["Oval", "Round"]);
  expect(await names("Shape.Area")).toEqual(["Oval.Area", "Round.Area"]);
  // Only interfaces are implemented, not structs with the same methods.
  expect(await names("Round")).toEqual([]);
  expect(await names("Base")).toEqual(["Leaf"]);
});
