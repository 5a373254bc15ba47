import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { FolderOutline, OutlineFile } from "../../../src/engine/api/outline.ts";
import {
  leastAddedLength,
  mostAddedLength,
  mostFutureLength,
  outlineText,
} from "../../../src/engine/outline/outline-text.ts";

const words = fc.constantFrom("a", "lib", "session", "a_long_name_of_a_folder");
const paths = fc.array(words, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const symbols = fc.array(
  fc.record({
    name: words,
    qualifiedName: words,
    kind: fc.constantFrom("function" as const, "class" as const),
    access: fc.constant("exported" as const),
    signature: fc.string({ maxLength: 150 }).map((text) => `f(${text.replaceAll("\n", " ")})`),
    startLine: fc.integer({ min: 1, max: 20 }),
    endLine: fc.integer({ min: 20, max: 40 }),
    depth: fc.constant(0),
  }),
  { maxLength: 30 },
);
const files = fc.uniqueArray(fc.record({ path: paths, language: fc.constant("c"), symbols }), {
  selector: ({ path }) => path,
  minLength: 1,
  maxLength: 12,
});
const roots = fc.constantFrom("", "lib", "lib/session");

/** The outline of a folder with `all` files below it, of which it shows some, as `folderOutline` builds it. */
function outlineOf(
  root: string,
  { all, shown }: Readonly<Record<"all" | "shown", readonly OutlineFile[]>>,
): FolderOutline {
  const prefix = root === "" ? "" : `${root}/`;
  const below = (some: readonly OutlineFile[]): readonly OutlineFile[] =>
    some.map((file) => ({ ...file, path: prefix + file.path }));
  const branchOf = ({ path }: OutlineFile): string => {
    const slash = path.indexOf("/", prefix.length);
    return slash < 0 ? root : path.slice(0, slash);
  };
  const shownByBranch = Map.groupBy(below(shown), branchOf);
  const folders = [...Map.groupBy(below(all), branchOf)].map(([path, { length }]) => ({
    path,
    files: length,
    languages: ["c"],
    shown: shownByBranch.get(path) ?? [],
  }));
  const omitted = { files: all.length - shown.length, folders: 0 };
  return { kind: "folder", path: root, files: all.length, languages: ["c"], folders, omitted };
}

test("symbols make the text of a folder at least as much longer as leastAddedLength says", () => {
  fc.assert(
    fc.property(roots, files, (root, all) => {
      const names = all.map((file) => ({ ...file, symbols: [] }));
      const least = all.reduce((sum, file) => sum + leastAddedLength(file), 0);
      const namesLength = outlineText(outlineOf(root, { all, shown: names })).length;
      const length = outlineText(outlineOf(root, { all, shown: all })).length;
      expect(length).toBeGreaterThanOrEqual(namesLength + least);
    }),
    { numRuns: 500 },
  );
});

test("files make the text of a folder at most as much longer as mostAddedLength says", () => {
  fc.assert(
    fc.property(roots, files, fc.nat(), fc.array(symbols), (root, all, random, more) => {
      const shown = all.slice(0, random % (all.length + 1));
      // The next files, and the first ones with other symbols.
      const added = all.slice(shown.length);
      const replaced = shown.slice(0, more.length).map((file, at) => ({
        ...file,
        symbols: [...file.symbols, ...(more[at] ?? [])],
      }));
      const later = [...replaced, ...shown.slice(replaced.length), ...added];
      const most = [...replaced, ...added].reduce((sum, file) => sum + mostAddedLength(file), 0);
      const limit = mostFutureLength(outlineOf(root, { all, shown })) + most;
      expect(outlineText(outlineOf(root, { all, shown: later })).length).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 500 },
  );
});
