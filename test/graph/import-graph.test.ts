import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { ImportEdge } from "../../src/graph/import-graph.ts";
import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";
import { recordedCalls } from "../helpers/recorded-calls.ts";

const ROOTS = ["src/main/java/", "core/src/test/java/", "", "modules/core/"];
const PACKAGES = ["util", "own.util", "org.own.util", "org.own", "org.util.own", "util.util"];
const CLASSES = ["Text", "util", "List"];

const file = fc.record({
  root: fc.constantFrom(...ROOTS),
  package: fc.constantFrom(...PACKAGES),
  name: fc.constantFrom(...CLASSES),
  extension: fc.constantFrom("java", "java", "kt", "scala"),
});
const imported = fc
  .tuple(
    fc.constantFrom(...PACKAGES, "java.util", "org.own.none"),
    fc.constantFrom("", ".*", ".Text", ".List", ".util.*", ".util", ".none"),
  )
  .map(([from, name]) => `${from}${name}`);

test("the importers of a file are the files of which an import leads to it", async () => {
  let edges = 0;
  const project = fc.array(fc.tuple(file, fc.array(imported, { maxLength: 4 })), {
    minLength: 2,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(project, async (all) => {
      const files = Object.fromEntries(
        all.map(([{ root, package: own, name, extension }, imports]) => {
          const end = extension === "scala" ? "" : ";";
          const lines = imports.map((one) => `import ${one.replace("*", end === "" ? "_" : "*")}`);
          return [
            `${root}${own.replaceAll(".", "/")}/${name}.${extension}`,
            [`package ${own}`, ...lines, `class ${name} {}`, ""].join(`${end}\n`),
          ];
        }),
      );
      const graph = await ReferenceGraph.open(await memoryIndex(files), (path) => files[path]);
      const wanted = new Map<string, ImportEdge[]>();
      for (const path of Object.keys(files).toSorted()) {
        for (const edge of await graph.importsOf(path)) {
          const others = wanted.get(edge.path) ?? [];
          wanted.set(edge.path, [...others, { ...edge, path }]);
          edges += 1;
        }
      }
      for (const path of Object.keys(files)) {
        expect([path, await graph.importersOf(path)]).toEqual([path, wanted.get(path) ?? []]);
      }
    }),
    { numRuns: 150 },
  );
  expect(edges).toBeGreaterThan(100);
}, 60_000);

test("a Kotlin file that imports its own package imports the Java files of its folder", async () => {
  const files: Record<string, string> = {
    "modules/core/util/Text.java": "package util;\n\nclass Text {}\n",
    "modules/core/util/Text.kt": "package util\n\nimport util.*\n",
  };
  const graph = await ReferenceGraph.open(await memoryIndex(files), (path) => files[path]);
  expect(await graph.importersOf("modules/core/util/Text.java")).toEqual([
    { path: "modules/core/util/Text.kt", line: 3, isOfPackage: true },
  ]);
});

test("a class of a package `util` is not sought in each file that imports from java.util", async () => {
  const files: Record<string, string> = {
    "src/main/java/org/own/util/Text.java": "package org.own.util;\n\nclass Text {}\n",
    "src/main/java/org/own/Main.java": "package org.own;\n\nimport org.own.util.*;\n",
  };
  for (let at = 0; at < 20; at += 1)
    files[`src/main/java/org/own/Other${at}.java`] =
      `package org.own;\n\nimport java.util.List;\n\nclass Other${at} {}\n`;
  const scopes = recordedCalls(await memoryIndex(files), "scopeOf");
  const { reader, calls } = recordedCalls(scopes.reader, "importsOf");
  const graph = await ReferenceGraph.open(reader, (path) => files[path]);
  expect(await graph.importersOf("src/main/java/org/own/util/Text.java")).toEqual([
    { path: "src/main/java/org/own/Main.java", line: 3 },
  ]);
  expect(calls).toEqual(["src/main/java/org/own/Main.java"]);
  // An importer is found without its definitions.
  expect(scopes.calls).toEqual(["src/main/java/org/own/util/Text.java"]);
});
