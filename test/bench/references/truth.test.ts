import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";

import {
  packReferences,
  readTruth,
  TRUTH_FOLDER,
  unpackReferences,
  writeTruth,
  type Truth,
} from "../../../bench/references/truth.ts";
import { tree } from "../../helpers/tree.ts";

const place = tree({});
afterAll(place.dispose);

const truth: Truth = {
  name: "open",
  kind: "function",
  container: "",
  path: "src/store.ts",
  line: 3,
  column: 17,
  references: [],
};

test("references are the same after they were packed", () => {
  const reference = fc.record({
    path: fc.constantFrom("a.ts", "b/c d.ts", "ü.tsx"),
    line: fc.integer({ min: 1, max: 9999 }),
    column: fc.integer({ min: 1, max: 200 }),
    isDefinition: fc.boolean(),
    isImport: fc.boolean(),
    isDirect: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(reference), (references) => {
      const inOrder = [...Map.groupBy(references, ({ path }) => path).values()].flat();
      expect(unpackReferences(packReferences(references))).toEqual(inOrder);
    }),
  );
});

test("what is kept can be read again", () => {
  const manifest = {
    name: "store",
    repository: "own/store",
    commit: "1",
    tool: "none",
    packages: "installed",
    seed: "s",
    definitions: {},
    references: 0,
  };
  writeTruth(place.path, manifest, [truth]);

  expect(readTruth(place.path, "store")).toEqual({ manifest, truths: [truth] });
});

test.each(["hono", "vitest"])("each sampled definition of %s is among its references", (name) => {
  const { manifest, truths } = readTruth(TRUTH_FOLDER, name);

  expect(truths.length).toBeGreaterThan(300);
  expect(manifest.references).toBe(truths.flatMap(({ references }) => references).length);
  for (const { path, line, references } of truths) {
    const itself = references.find((one) => one.path === path && one.line === line);
    expect(itself).toMatchObject({ isDefinition: true, isDirect: true });
  }
});
