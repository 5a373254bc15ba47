import { expect, test } from "vitest";

import { importer, meaning, resolverOf, type TestTree } from "./tree-of.ts";

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

function ask(from: string, modules: readonly string[], tree = TREE): readonly string[] {
  const resolver = resolverOf(tree);
  return modules.map((module) => meaning(resolver, importer(from), module));
}

test("classes are where composer.json says", () => {
  const modules = [
    "Monolog\\Logger",
    "\\Monolog\\Handler\\Stream",
    "Monolog\\Handler\\StreamTest",
    "Old\\Thing",
  ];
  expect(ask("src/Monolog/Logger.php", modules)).toEqual([
    "src/Monolog/Logger.php #Logger",
    "src/Monolog/Handler/Stream.php #Stream",
    "tests/Monolog/Handler/StreamTest.php #StreamTest",
    "legacy/Old/Thing.php #Thing",
  ]);
});

test("namespaces are folders, and have what is in no file of its name", () => {
  expect(ask("public/index.php", ["Monolog\\Handler", "Monolog\\tail"])).toEqual([
    "[src/Monolog/Handler/Stream.php tests/Monolog/Handler/StreamTest.php]",
    "[src/Monolog/Logger.php src/Monolog/functions.php] #tail",
  ]);
});

test("others are external, and what a namespace of the project lacks is not known", () => {
  const modules = ["Psr\\Log\\LoggerInterface", "DateTime", "Old\\None\\X", "Monolog\\None\\X"];
  expect(ask("public/index.php", modules)).toEqual(["external", "external", "unknown", "unknown"]);
});

test("files are named from the file and from the root", () => {
  const modules = ["../config/app.php", "/../config/app.php", "config/app.php", "none.php"];
  expect(ask("public/index.php", modules)).toEqual([
    "config/app.php",
    "config/app.php",
    "config/app.php",
    "unknown",
  ]);
});

test("without composer.json a class is where a path ends as its name", () => {
  const tree: TestTree = { files: ["app/Models/User.php", "lib/Models/User.php", "app/x.php"] };
  expect(ask("app/x.php", ["App\\Models\\User", "User"], tree)).toEqual([
    "app/Models/User.php #User",
    "external",
  ]);
});

test("files of a namespace see each other", () => {
  const from = importer("src/Monolog/Handler/Stream.php", "Monolog\\Handler");
  expect(resolverOf(TREE).siblingsOf(from)).toEqual(["tests/Monolog/Handler/StreamTest.php"]);
});
