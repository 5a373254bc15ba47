import { posix } from "node:path";

import * as fc from "fast-check";
import { expect, test } from "vitest";

import { sortByDistance, nearestPath } from "../../../src/graph/modules/path-search.ts";
import {
  pathBelow,
  endsWithParts,
  foldersAround,
  inFolder,
  isWithin,
  joinPath,
  sharedFolder,
  stemOf,
} from "../../../src/graph/modules/paths.ts";

const path = fc
  .array(fc.constantFrom("a", "b", "ab"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("/"));
const relative = fc
  .array(fc.constantFrom("a", "b", ".", "..", ""), { maxLength: 6 })
  .map((parts) => parts.join("/"));

/** Returns whether no step leaves the project, not even temporarily. */
function goesInside(folder: string, steps: string): boolean {
  let depth = folder.split("/").length;
  for (const step of steps.split("/")) {
    if (step === "..") depth -= 1;
    else if (step !== "" && step !== ".") depth += 1;
    if (depth < 0) return false;
  }
  return true;
}

test("joining works as in Node and is undefined outside of the project", () => {
  fc.assert(
    fc.property(path, relative, (folder, steps) => {
      const outside = ["x", "y", "z", "u", "v", "w"].join("/");
      const expected = posix.join(outside, folder, steps).replace(/\/$/, "");
      const joined = joinPath(inFolder(outside, folder), steps);
      expect(joined).toBe(expected);
      const isInside = goesInside(folder, steps);
      expect(joinPath(folder, steps)).toBe(isInside ? pathBelow(expected, outside) : undefined);
    }),
  );
});

test("a path is within all its parent folders, and the rest follows each of them", () => {
  fc.assert(
    fc.property(path, (one) => {
      for (const folder of foldersAround(one).slice(1)) {
        expect(isWithin(one, folder)).toBe(true);
        const rest = pathBelow(one, folder);
        expect(endsWithParts(one, rest)).toBe(true);
        expect(folder === "" ? rest : `${folder}/${rest}`).toBe(one);
      }
    }),
  );
});

test("the shared folder is the innermost one that contains both", () => {
  expect(sharedFolder("a/b/c.ts", "a/b/d.ts")).toBe("a/b");
  expect(sharedFolder("a/b/c.ts", "a/bc/d.ts")).toBe("a");
  expect(sharedFolder("a.ts", "b.ts")).toBe("");
  expect(endsWithParts("a/bc/d.ts", "c/d.ts")).toBe(false);
  expect(stemOf("a/.env")).toBe(".env");
});

test("the distance depends on shared folders, then on test folders, then on length, then on the order", () => {
  const from = "core/src/a.ts";
  const paths = ["x/fixtures/b.ts", "far/away/b.ts", "y/b.ts", "core/lib/deep/b.ts", "z/b.ts"];
  expect(sortByDistance(from, paths)).toEqual([
    "core/lib/deep/b.ts",
    "y/b.ts",
    "z/b.ts",
    "far/away/b.ts",
    "x/fixtures/b.ts",
  ]);
  fc.assert(
    fc.property(path, fc.array(path, { minLength: 1 }), (importer, candidates) => {
      const [first] = sortByDistance(importer, candidates);
      expect(nearestPath(importer, candidates)).toBe(first);
    }),
  );
});
