import { expect, test } from "vitest";

import { reachableFrom } from "../../../scripts/check-test-names/reachable.ts";

test("a file leads to its imports, to theirs, and to the workers and programs that they start", () => {
  const files = new Map([
    ["test/a.test.ts", 'import { b } from "../src/b.ts";\nawait import("../src/c.ts");'],
    [
      "src/b.ts",
      'export { d } from "./d/d.ts";\nnew Worker(new URL("./worker.ts", import.meta.url));',
    ],
    ["src/c.ts", 'import type { E } from "./e.ts";\nimport "./gone.ts";'],
    ["src/d/d.ts", 'import "../b.ts";'],
    ["src/e.ts", ""],
    ["src/f.ts", 'import "./b.ts";'],
    ["src/worker.ts", ""],
  ]);
  expect([...reachableFrom("test/a.test.ts", files)].toSorted()).toEqual([
    "src/b.ts",
    "src/c.ts",
    "src/d/d.ts",
    "src/e.ts",
    "src/worker.ts",
    "test/a.test.ts",
  ]);
});
