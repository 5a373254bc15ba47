import { expect, test } from "vitest";

import { agreement, compare, foundEdges, trueEdges } from "../../../bench/references/comparison.ts";
import { unpackReferences, type Truth } from "../../../bench/references/truth.ts";
import type { Reference } from "../../../src/graph/reference-graph.ts";

const truth: Truth = {
  name: "open",
  kind: "function",
  container: "",
  path: "a.ts",
  line: 1,
  column: 17,
  references: unpackReferences({
    "a.ts": "1:17d 4:3 4:20",
    "b.ts": "1:10i 5:1 9:1r",
  }),
};

function reference(path: string, line: number, more: Partial<Reference> = {}): Reference {
  return { path, line, role: "call", certainty: "exact", owner: undefined, ...more };
}

const references = [
  reference("a.ts", 1),
  reference("a.ts", 4),
  reference("b.ts", 1, { role: "import" }),
  reference("b.ts", 5, { certainty: "name" }),
  reference("c.ts", 2),
  reference("c.ts", 3, { certainty: "name" }),
  reference("d.vue", 7),
];

test("a line counts once, the definition not at all", () => {
  expect(trueEdges(truth)).toEqual([
    { path: "a.ts", line: 4, isImport: false, isDirect: true },
    { path: "b.ts", line: 1, isImport: true, isDirect: true },
    { path: "b.ts", line: 5, isImport: false, isDirect: true },
    { path: "b.ts", line: 9, isImport: false, isDirect: false },
  ]);
});

test("what the language service did not look at is not judged", () => {
  const paths = foundEdges(references, truth).map(({ path, line }) => `${path}:${line}`);
  expect(paths).toEqual(["a.ts:4", "b.ts:1", "b.ts:5", "c.ts:2", "c.ts:3"]);
});

test("precision and recall with imports", () => {
  const comparison = compare(trueEdges(truth), foundEdges(references, truth), {
    withImports: true,
  });

  expect(agreement([comparison])).toEqual({
    definitions: 1,
    edges: 4,
    exactPrecision: 2 / 3,
    exactRecall: 2 / 4,
    directRecall: 2 / 3,
    meanRecall: 2 / 4,
    allPrecision: 3 / 5,
    allRecall: 3 / 4,
  });
});

test("without imports those of both sides are left out", () => {
  const found = foundEdges([...references, reference("e.ts", 1, { role: "import" })], truth);
  const { exactRight, exactFalse, missed } = compare(trueEdges(truth), found, {
    withImports: false,
  });

  expect(exactRight.map(({ path, line }) => `${path}:${line}`)).toEqual(["a.ts:4"]);
  expect(exactFalse.map(({ path, line }) => `${path}:${line}`)).toEqual(["c.ts:2"]);
  expect(missed.map(({ path, line }) => `${path}:${line}`)).toEqual(["b.ts:5", "b.ts:9"]);
});
