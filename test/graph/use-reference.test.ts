import { expect, test } from "vitest";

import { scopedFile } from "../../src/graph/entity.ts";
import { deduplicated, UseReference, type Reference } from "../../src/graph/use-reference.ts";
import type { Use } from "../../src/parse/references/references.ts";
import { memoryIndex } from "../helpers/memory-index.ts";

const USE: Use = {
  name: "open",
  line: 2,
  role: "call",
  owner: 0,
  target: -1,
  receiver: "",
  binding: -1,
};

function at(path: string, line: number, more: Partial<Reference> = {}): Reference {
  return { path, line, role: "call", certainty: "exact", owner: undefined, ...more };
}

test("the definition around a use is read when somebody asks for it", async () => {
  const reader = await memoryIndex({ "a.c": "void run(void) {\n  open();\n}\n" });
  const scope = await reader.scopeOf("a.c");
  if (scope === undefined) throw new Error("no scope");
  let reads = 0;
  const counted = {
    ...scope,
    get symbols() {
      reads += 1;
      return scope.symbols;
    },
  };
  const file = scopedFile(counted);
  const [inside, outside] = [0, -1].map(
    (owner) => new UseReference(file, { ...USE, owner }, "exact"),
  );
  expect(inside).toMatchObject({ path: "a.c", line: 2, role: "call", certainty: "exact" });
  expect(reads).toBe(0);
  expect(inside?.owner).toMatchObject({ path: "a.c", qualifiedName: "run", startLine: 1 });
  expect(outside?.owner).toBeUndefined();
});

test("a line has one reference of each role, the exact one if there are both", () => {
  const byName = at("b.c", 3, { certainty: "name" });
  const value = at("b.c", 3, { role: "value" });
  const found = deduplicated([at("b.c", 12), byName, value, at("b.c", 3), at("a.c", 7), byName]);
  expect(found).toEqual([at("a.c", 7), at("b.c", 3), value, at("b.c", 12)]);
  expect(deduplicated([byName, byName])).toEqual([byName]);
  expect(deduplicated([])).toEqual([]);
});
