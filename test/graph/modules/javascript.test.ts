import { describe, expect, test } from "vitest";

import { importer, describeTarget, resolverOf, type TestTree } from "./tree-of.ts";

function resolveAll(tree: TestTree, from: string, modules: readonly string[]): readonly string[] {
  const resolver = resolverOf(tree);
  return modules.map((module) => describeTarget(resolver, importer(from), module));
}

describe("relative paths", () => {
  const files = [
    "src/a.ts",
    "src/base/log.ts",
    "src/base/index.ts",
    "src/base/view.tsx",
    "src/base/names.service.ts",
    "src/base/old.js",
    "src/base/old.d.ts",
    "src/base/data.json",
    "src/base/App.vue",
    "src/base/both.js",
    "src/base/both.ts",
    "src/index.ts",
  ];

  test("may omit the extension, and `.js` refers to its TypeScript source", () => {
    const modules = [
      "./base/log.ts",
      "./base/log",
      "./base/log.js",
      "./base/view.js",
      "./base/names.service",
      "./base/App.vue",
      "./base/App.vue?raw",
    ];
    expect(resolveAll({ files }, "src/a.ts", modules)).toEqual([
      "src/base/log.ts",
      "src/base/log.ts",
      "src/base/log.ts",
      "src/base/view.tsx",
      "src/base/names.service.ts",
      "src/base/App.vue",
      "src/base/App.vue",
    ]);
  });

  test("resolve to the index of a folder", () => {
    const modules = ["./base", "./base/", ".", "./", "./index.ts"];
    expect(resolveAll({ files }, "src/a.ts", modules)).toEqual([
      "src/base/index.ts",
      "src/base/index.ts",
      "src/index.ts",
      "src/index.ts",
      "src/index.ts",
    ]);
    expect(resolveAll({ files }, "src/base/log.ts", ["..", "../"])).toEqual([
      "src/index.ts",
      "src/index.ts",
    ]);
  });

  test("of declaration files also resolve to the script next to them", () => {
    expect(resolveAll({ files }, "src/a.ts", ["./base/old"])).toEqual([
      "src/base/old.d.ts + src/base/old.js",
    ]);
  });

  test("prefer scripts if the importer is a script", () => {
    const modules = ["./both", "./both.js", "./data"];
    expect(resolveAll({ files }, "src/base/x.js", modules)).toEqual([
      "src/base/both.js",
      "src/base/both.js",
      "src/base/data.json",
    ]);
    expect(resolveAll({ files }, "src/base/x.ts", modules)).toEqual([
      "src/base/both.ts",
      "src/base/both.ts",
      "unknown",
    ]);
  });

  test("of missing files are unknown, not external", () => {
    expect(
      resolveAll({ files }, "src/a.ts", ["./none", "../../outside", "./base/none.js"]),
    ).toEqual(["unknown", "unknown", "unknown"]);
  });
});

describe("tsconfig.json", () => {
  test("defines aliases, may have comments and extend other configs", () => {
    const tree: TestTree = {
      files: ["src/base/log.ts", "src/main.ts", "app/view.ts", "lib/old/a.ts"],
      configs: {
        "tsconfig.json": `{
          // Names.
          "extends": ["./tsconfig.base"],
          "compilerOptions": { "baseUrl": "./lib", },
        }`,
        "tsconfig.base.json": `{ "compilerOptions": { "paths": {
          "@/*": ["./src/*"], /* a pattern */ "@/app/*": ["./app/*"], "main": ["./src/main.ts"] } } }`,
      },
    };
    const modules = ["@/base/log", "@/app/view", "main", "old/a", "react"];
    expect(resolveAll(tree, "src/main.ts", modules)).toEqual([
      "src/base/log.ts",
      "app/view.ts",
      "src/main.ts",
      "lib/old/a.ts",
      "external",
    ]);
  });

  test("the nearest config comes first, referenced configs are read, a cycle ends", () => {
    const tree: TestTree = {
      files: ["web/src/a.ts", "web/src/b.ts", "src/a.ts"],
      configs: {
        "tsconfig.json": `{ "extends": "./tsconfig.json", "compilerOptions": { "paths": { "~/*": ["src/*"] } } }`,
        "web/tsconfig.json": `{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }`,
        "web/tsconfig.app.json": `{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }`,
      },
    };
    expect(resolveAll(tree, "web/src/b.ts", ["~/a"])).toEqual(["web/src/a.ts"]);
    expect(resolveAll(tree, "src/b.ts", ["~/a"])).toEqual(["src/a.ts"]);
  });

  test("may extend the config of a package of the project", () => {
    const tree: TestTree = {
      files: ["web/src/a.ts"],
      configs: {
        "web/tsconfig.json": `{ "extends": "@own/configs/strict.json" }`,
        "configs/package.json": `{ "name": "@own/configs" }`,
        "configs/strict.json": `{ "compilerOptions": { "paths": { "~/*": ["\${configDir}/../web/src/*"] } } }`,
      },
    };
    expect(resolveAll(tree, "web/src/b.ts", ["~/a"])).toEqual(["web/src/a.ts"]);
  });

  test("is ignored if it is invalid", () => {
    const tree: TestTree = { files: ["src/a.ts"], configs: { "tsconfig.json": "{ paths: [" } };
    expect(resolveAll(tree, "src/b.ts", ["./a", "x"])).toEqual(["src/a.ts", "external"]);
  });

  test("without one, the usual aliases refer to src", () => {
    const tree: TestTree = {
      files: ["web/src/base/a.ts", "web/src/lib/b.ts", "web/src/lib/index.ts"],
      configs: { "web/package.json": "{}" },
    };
    const modules = ["@/base/a", "$lib/b", "$lib", "@/none"];
    expect(resolveAll(tree, "web/src/c.ts", modules)).toEqual([
      "web/src/base/a.ts",
      "web/src/lib/b.ts",
      "web/src/lib/index.ts",
      "unknown",
    ]);
  });
});

describe("packages of the project", () => {
  const tree: TestTree = {
    files: [
      "packages/server/src/index.ts",
      "packages/server/src/adapters/fetch.ts",
      "packages/server/src/plugins/zip.ts",
      "packages/server/src/secret.ts",
      "packages/old/lib/main.js",
      "packages/old/util.js",
      "packages/bare/index.js",
      "packages/app/src/a.ts",
      "packages/app/src/log.ts",
      "packages/app/test/fixtures/react/index.js",
    ],
    configs: {
      "packages/server/package.json": `{ "name": "@own/server", "exports": {
        ".": { "types": "./dist/index.d.ts", "import": { "default": "./dist/esm/index.mjs" } },
        "./fetch": "./dist/adapters/fetch.cjs.js",
        "./plugins/*": ["./dist/plugins/*.js"],
        "./package.json": "./package.json" } }`,
      "packages/old/package.json": `{ "name": "old", "main": "lib/main" }`,
      "packages/bare/package.json": `{ "name": "bare" }`,
      "packages/app/package.json": `{ "name": "app", "imports": { "#log": "./src/log.js", "#srv/*": "@own/server/*" } }`,
      "packages/app/test/fixtures/react/package.json": `{ "name": "react" }`,
    },
  };

  test("are found by name, and their sources by their build outputs", () => {
    const modules = ["@own/server", "@own/server/fetch", "@own/server/plugins/zip", "old", "bare"];
    expect(resolveAll(tree, "packages/app/src/a.ts", modules)).toEqual([
      "packages/server/src/index.ts",
      "packages/server/src/adapters/fetch.ts",
      "packages/server/src/plugins/zip.ts",
      "packages/old/lib/main.js",
      "packages/bare/index.js",
    ]);
  });

  test("resolve paths that package.json does not list", () => {
    const modules = ["old/util", "@own/server/secret", "@own/server/none"];
    expect(resolveAll(tree, "packages/app/src/a.ts", modules)).toEqual([
      "packages/old/util.js",
      "packages/server/src/secret.ts",
      "unknown",
    ]);
  });

  test("may define names in `imports`", () => {
    expect(resolveAll(tree, "packages/app/src/a.ts", ["#log", "#srv/fetch", "#none"])).toEqual([
      "packages/app/src/log.ts",
      "packages/server/src/adapters/fetch.ts",
      "unknown",
    ]);
  });

  test("in fixtures are ignored, except by files in the same fixture", () => {
    expect(resolveAll(tree, "packages/app/src/a.ts", ["react"])).toEqual(["external"]);
    expect(resolveAll(tree, "packages/app/test/fixtures/react/b.js", ["react"])).toEqual([
      "packages/app/test/fixtures/react/index.js",
    ]);
  });

  test("build outputs of the package itself resolve to their sources", () => {
    expect(resolveAll(tree, "packages/server/fetch.d.ts", ["./dist/adapters/fetch.js"])).toEqual([
      "packages/server/src/adapters/fetch.ts",
    ]);
  });
});

test("names with a scheme and packages outside of the project are external", () => {
  const modules = ["node:fs", "fs", "react", "@types/node", "https://a.b/c.js", "virtual:pwa"];
  expect(resolveAll({ files: ["a.ts"] }, "a.ts", modules)).toEqual(modules.map(() => "external"));
});

test("a file is imported by its name or that of its folder, its package or an alias", () => {
  const resolver = resolverOf({
    files: ["pkg/src/index.ts", "pkg/src/log.ts", "pkg/src/x.service.ts", "pkg/src/deep/index.ts"],
    configs: {
      "pkg/package.json": `{ "name": "@own/server", "exports": { ".": "./dist/index.js", "./inner": "./dist/deep/index.js" } }`,
      "tsconfig.json": `{ "compilerOptions": { "paths": { "@own/logger": ["pkg/src/log.ts"] } } }`,
    },
  });
  expect(resolver.lastPartsOf("pkg/src/index.ts", "typescript")).toEqual([
    "index",
    "server",
    "src",
    ".",
  ]);
  expect(resolver.lastPartsOf("pkg/src/log.ts", "typescript")).toEqual(["log", "logger"]);
  expect(resolver.lastPartsOf("pkg/src/x.service.ts", "typescript")).toEqual(["service"]);
  expect(resolver.lastPartsOf("pkg/src/deep/index.ts", "typescript")).toEqual([
    "index",
    "inner",
    "deep",
    ".",
  ]);
});
