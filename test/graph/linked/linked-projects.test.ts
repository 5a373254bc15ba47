import { expect, test } from "vitest";

import { LinkedProjects } from "../../../src/graph/linked/linked-projects.ts";
import { encodeFacts, PackageFacts } from "../../../src/graph/packages/package-facts.ts";
import { isManifest, readManifest } from "../../../src/graph/packages/read-manifest.ts";
import { memoryIndex } from "../../helpers/memory-index.ts";

type Files = Readonly<Record<string, string>>;

function factsOf(files: Files): PackageFacts {
  const texts = Object.entries(files).flatMap(([path, text]) =>
    isManifest(path)
      ? encodeFacts(readManifest(path, text), path.slice(0, Math.max(0, path.lastIndexOf("/"))))
      : [],
  );
  return new PackageFacts(texts.join(""));
}

/** `installed`: names of projects that are packages as they were installed. */
async function linked(
  projects: Readonly<Record<string, Files>>,
  installed: readonly string[] = [],
) {
  const readers = new Map<string, Awaited<ReturnType<typeof memoryIndex>>>();
  for (const [name, files] of Object.entries(projects)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    readers.set(name, await memoryIndex(files));
  }
  const parts = Object.entries(projects).flatMap(([name, files]) => {
    const reader = readers.get(name);
    const readFile = (path: string): string | undefined => files[path];
    const isInstalled = installed.includes(name);
    const packages = factsOf(files);
    return reader === undefined ? [] : [{ name, isInstalled, reader, readFile, packages }];
  });
  const all = await LinkedProjects.open(parts);
  /** Users of a definition, in all projects: "project/path:line role", with " ?" after those by name. */
  return async (
    project: string,
    qualifiedName: string,
    file?: string,
  ): Promise<readonly string[]> => {
    const name = qualifiedName.split(".").at(-1) ?? "";
    const found = (await readers.get(project)?.symbolsNamed(name, 50))?.find(
      (one) => one.qualifiedName === qualifiedName && one.path === (file ?? one.path),
    );
    if (found === undefined) throw new Error(`no ${qualifiedName}`);
    const symbol = { ...found, path: `${project}/${found.path}` };
    const users: string[] = [];
    for (const other of readers.keys()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const references = (await all.graphOf(other)?.referencesTo(symbol)) ?? [];
      for (const { path, line, role, certainty } of references)
        users.push(`${path}:${line} ${role}${certainty === "exact" ? "" : " ?"}`);
    }
    return users;
  };
}

test("an import of a package of npm leads to the project that defines it", async () => {
  const users = await linked({
    compose: {
      "package.json": '{ "name": "koa-compose", "version": "4.1.0", "main": "lib/index.js" }',
      "lib/index.js": "module.exports = compose\n\nfunction compose (list) {\n  return list\n}\n",
    },
    koa: {
      "package.json": '{ "name": "koa", "dependencies": { "koa-compose": "^4.1.0" } }',
      "lib/application.js":
        "const compose = require('koa-compose')\n\nfunction run () {\n  return compose([])\n}\n",
      "lib/other.js": "const compose = require('./own')\ncompose()\n",
    },
    stranger: {
      "package.json": '{ "name": "stranger" }',
      "index.js": "const compose = require('koa-compose')\ncompose([])\n",
    },
  });
  expect(await users("compose", "compose")).toEqual([
    "compose/lib/index.js:1 value",
    "koa/lib/application.js:4 call",
  ]);
});

test("types lead from a package through another one to a third", async () => {
  const users = await linked({
    store: {
      "package.json": '{ "name": "@shop/store", "version": "1.0.0", "types": "src/index.ts" }',
      "src/index.ts": 'export { Store as Shop } from "./store.ts";\n',
      "src/store.ts": "export class Store {\n  sell(): void {}\n}\n",
    },
    middle: {
      "package.json": '{ "name": "middle", "dependencies": { "@shop/store": "1.0.0" } }',
      "index.ts":
        'import { Shop } from "@shop/store";\n\nexport function open(): Shop {\n  return new Shop();\n}\n',
    },
    end: {
      "package.json": '{ "dependencies": { "middle": "1", "@shop/store": "1.0.0" } }',
      "a.ts": 'import { open } from "middle";\n\nopen().sell();\n',
      "b.ts": "export function b(x: any) {\n  x.sell();\n}\n",
      "c.ts":
        'import { Shop } from "@shop/store";\nexport function c(x: any, y: Shop) {\n  x.sell();\n}\n',
    },
  });
  expect(await users("store", "Store.sell")).toEqual(["end/a.ts:3 call", "end/c.ts:3 call ?"]);
  expect(await users("store", "Store")).toEqual([
    "store/src/index.ts:1 import",
    "middle/index.ts:1 import",
    "middle/index.ts:3 type",
    "middle/index.ts:4 call",
    "end/c.ts:1 import",
    "end/c.ts:2 type",
  ]);
});

test("Go modules, crates, Python and Java packages lead to their projects", async () => {
  const go = await linked({
    gin: {
      "go.mod": "module github.com/gin-gonic/gin\n",
      "gin.go": "package gin\n\ntype Engine struct{}\n\nfunc New() *Engine { return &Engine{} }\n",
      "context.go": "package gin\n\nfunc (e *Engine) Run() {}\n",
      "binding/json.go": "package binding\n\nfunc Bind() {}\n",
    },
    user: {
      "go.mod": "module example.com/user\n\nrequire github.com/gin-gonic/gin v1.9.1\n",
      "main.go":
        'package main\n\nimport (\n\t"github.com/gin-gonic/gin"\n\t"github.com/gin-gonic/gin/binding"\n)\n\nfunc main() {\n\te := gin.New()\n\te.Run()\n\tbinding.Bind()\n}\n',
    },
  });
  expect(await go("gin", "New")).toEqual(["user/main.go:9 call"]);
  expect(await go("gin", "Engine.Run")).toEqual(["user/main.go:10 call"]);
  expect(await go("gin", "Bind")).toEqual(["user/main.go:11 call"]);

  const rust = await linked({
    bytes: {
      "Cargo.toml": '[package]\nname = "bytes"\nversion = "1.5.0"\n',
      "src/lib.rs": "mod bytes;\npub use crate::bytes::Bytes;\n",
      "src/bytes.rs":
        "pub struct Bytes {}\nimpl Bytes {\n    pub fn new() -> Self { Bytes {} }\n}\n",
    },
    user: {
      "Cargo.toml": '[package]\nname = "user"\n\n[dependencies]\nbytes = "1"\n',
      "src/main.rs": "use bytes::Bytes;\n\nfn main() {\n    let b = Bytes::new();\n}\n",
    },
  });
  expect(await rust("bytes", "Bytes.new")).toEqual(["user/src/main.rs:4 call"]);

  const python = await linked({
    click: {
      "pyproject.toml": '[project]\nname = "click"\nversion = "8.1.7"\n',
      "src/click/__init__.py": "from .core import Command as Command\n",
      "src/click/core.py": "class Command:\n    def main(self):\n        pass\n",
      "tests/test_core.py": "from click import Command\n\nCommand().main()\n",
    },
    flask: {
      "pyproject.toml": '[project]\nname = "Flask"\ndependencies = [\n  "click>=8.0",\n]\n',
      "src/flask/cli.py":
        "import click\n\nclass Group(click.Command):\n    pass\n\ndef run():\n    Group().main()\n",
    },
  });
  expect(await python("click", "Command.main")).toEqual([
    "click/tests/test_core.py:3 call",
    "flask/src/flask/cli.py:7 call",
  ]);

  const java = await linked({
    gson: {
      "pom.xml":
        "<project><groupId>com.google.code.gson</groupId><artifactId>gson</artifactId><version>2.10</version></project>",
      "src/main/java/com/google/gson/Gson.java":
        "package com.google.gson;\n\npublic class Gson {\n  public String toJson(Object o) { return null; }\n}\n",
    },
    user: {
      "pom.xml":
        "<project><groupId>a</groupId><artifactId>b</artifactId><version>1</version><dependencies><dependency><groupId>com.google.code.gson</groupId><artifactId>gson</artifactId><version>2.10</version></dependency></dependencies></project>",
      "src/main/java/a/Main.java":
        "package a;\n\nimport com.google.gson.Gson;\n\nclass Main {\n  private final Gson gson = new Gson();\n  String run() { return gson.toJson(this); }\n}\n",
    },
  });
  expect(await java("gson", "Gson.toJson")).toEqual(["user/src/main/java/a/Main.java:7 call"]);
});

const STOVE: Files = {
  "package.json":
    '{ "name": "stove", "version": "1.0.0", "exports": { ".": { "types@<5": "./old.d.ts", "require": "./dist/index.cjs", "import": "./dist/index.js" } } }',
  "dist/index.js": 'export { heat } from "./heat.js";\n',
  "dist/index.cjs": "exports.heat = function heat() {};\n",
  "dist/index.d.ts": 'export { heat } from "./heat.ts";\n',
  "dist/index.d.cts": "export declare function heat(): string;\n",
  "dist/heat.js": "export function heat() {\n  return 1;\n}\n",
  "dist/heat.d.ts": "export declare function heat(): number;\n",
  "old.d.ts": "export declare function heat(): void;\n",
};

test("an import of an installed package leads to the declaration that TypeScript finds", async () => {
  const cook: Files = {
    "package.json": '{ "name": "cook", "dependencies": { "stove": "1.0.0" } }',
    "cook.ts": 'import { heat } from "stove";\n\nheat();\n',
    "plain.js": 'import { heat } from "stove";\n\nheat();\n',
  };
  const users = await linked({ stove: STOVE, cook }, ["stove"]);
  expect(await users("stove", "heat", "dist/heat.d.ts")).toEqual(
    expect.arrayContaining(["cook/cook.ts:3 call", "cook/plain.js:3 call"]),
  );
  for (const other of ["dist/heat.js", "dist/index.d.cts", "old.d.ts"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await users("stove", "heat", other)).not.toContain("cook/cook.ts:3 call");
  }
});

test("a package of types describes another one, and a declared module is what its file exports", async () => {
  const users = await linked(
    {
      types: {
        "package.json":
          '{ "name": "@types/scope__oven", "version": "1.0.0", "types": "index.d.ts" }',
        "index.d.ts":
          "declare module '@scope/oven' {\n  export class Oven {\n    bake(): void;\n  }\n}\n",
      },
      cook: {
        "package.json": '{ "name": "cook", "dependencies": { "@types/scope__oven": "1.0.0" } }',
        "cook.ts": 'import { Oven } from "@scope/oven";\n\nnew Oven();\n',
      },
    },
    ["types"],
  );
  expect(await users("types", "@scope/oven.Oven")).toContain("cook/cook.ts:3 call");
});
