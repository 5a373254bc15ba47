import { expect, test } from "vitest";

import { importer, describeTarget, resolverOf, type TestTree } from "./tree-of.ts";

const TREE: TestTree = {
  files: [
    "src/Monolog/Logger.php",
    "src/Monolog/Handler/Stream.php",
    "src/Monolog/functions.php",
    "tests/Monolog/Handler/StreamTest.php",
    "legacy/Old/Thing.php",
    "public/index.php",
    "config/app.php",
  ],
  configs: {
    "composer.json": `{
      "autoload": { "psr-4": { "Monolog\\\\": ["src/Monolog"] }, "psr-0": { "Old": "legacy/" } },
      "autoload-dev": { "psr-4": { "Monolog\\\\": "tests/Monolog/" } }
    }`,
  },
};

function resolveAll(from: string, modules: readonly string[], tree = TREE): readonly string[] {
  const resolver = resolverOf(tree);
  return modules.map((module) => describeTarget(resolver, importer(from), module));
}

test("classes are resolved by composer.json", () => {
  const modules = [
    "Monolog\\Logger",
    "\\Monolog\\Handler\\Stream",
    "Monolog\\Handler\\StreamTest",
    "Old\\Thing",
  ];
  expect(resolveAll("src/Monolog/Logger.php", modules)).toEqual([
    "src/Monolog/Logger.php #Logger",
    "src/Monolog/Handler/Stream.php #Stream",
    "tests/Monolog/Handler/StreamTest.php #StreamTest",
    "legacy/Old/Thing.php #Thing",
  ]);
});

test("namespaces are folders, and contain definitions without a file of their own", () => {
  expect(resolveAll("public/index.php", ["Monolog\\Handler", "Monolog\\tail"])).toEqual([
    "[src/Monolog/Handler/Stream.php tests/Monolog/Handler/StreamTest.php]",
    "[src/Monolog/Logger.php src/Monolog/functions.php] #tail",
  ]);
});

test("other classes are external, and a class missing from a namespace of the project is unknown", () => {
  const modules = ["Psr\\Log\\LoggerInterface", "DateTime", "Old\\None\\X", "Monolog\\None\\X"];
  expect(resolveAll("public/index.php", modules)).toEqual([
    "external",
    "external",
    "unknown",
    "unknown",
  ]);
});

test("file paths are relative to the file or to the root", () => {
  const modules = ["../config/app.php", "/../config/app.php", "config/app.php", "none.php"];
  expect(resolveAll("public/index.php", modules)).toEqual([
    "config/app.php",
    "config/app.php",
    "config/app.php",
    "unknown",
  ]);
});

test("without composer.json a class is in a file whose path ends in its name", () => {
  const tree: TestTree = { files: ["app/Models/User.php", "lib/Models/User.php", "app/x.php"] };
  expect(resolveAll("app/x.php", ["App\\Models\\User", "User"], tree)).toEqual([
    "app/Models/User.php #User",
    "external",
  ]);
});

test("files of a namespace see each other", () => {
  const from = importer("src/Monolog/Handler/Stream.php", "Monolog\\Handler");
  expect(resolverOf(TREE).siblingsOf(from)).toEqual(["tests/Monolog/Handler/StreamTest.php"]);
});
