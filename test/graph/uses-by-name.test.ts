import { expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";
import { recordedCalls } from "../helpers/recorded-calls.ts";

/** A class that many files import and only one inherits from. */
function users(): Readonly<Record<string, string>> {
  const files: Record<string, string> = {
    "src/p/Base.java": "package p;\n\npublic class Base {}\n",
    "src/q/Sub.java": "package q;\n\nimport p.Base;\n\npublic class Sub extends Base {}\n",
  };
  for (let at = 0; at < 20; at += 1) {
    files[`src/q/User${at}.java`] =
      `package q;\n\nimport p.Base;\n\nclass User${at} {\n  Base base;\n}\n`;
  }
  return files;
}

test("files that only use a type are not read to find the types below it", async () => {
  const files = users();
  const { reader, calls } = recordedCalls(await memoryIndex(files), "scopeOf");
  const graph = await ReferenceGraph.open(reader, (path) => files[path]);
  const [base] = await reader.symbolsNamed("Base", 1);
  if (base === undefined) throw new Error("Base is a definition");
  const below = await graph.implementationsOf(base);
  expect(below.map(({ qualifiedName }) => qualifiedName)).toEqual(["Sub"]);
  expect(calls.filter((path) => path.includes("User"))).toEqual([]);
});
