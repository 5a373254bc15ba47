import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { pathFromBytes } from "../../src/base/path-bytes.ts";
import { listFolder } from "../../src/scan/list-folder.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { tree } from "../helpers/tree.ts";

function folder(files: Readonly<Record<string, string>> = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

test("entries are files, folders and links", () => {
  const root = folder({ "a.ts": "", "b/c.ts": "" });
  symlinkSync("a.ts", join(root, "link"));
  const kinds = listFolder(root).map((entry) => [
    entry.name,
    entry.isFile(),
    entry.isDirectory(),
    entry.isSymbolicLink(),
  ]);
  expect(kinds).toEqual([
    ["a.ts", true, false, false],
    ["b", false, true, false],
    ["link", false, false, true],
  ]);
});

test("entering folders in this order visits all files in the order of their paths", () => {
  const name = fc
    .stringMatching(/^[a-c!.\-/é]{1,6}$/)
    .filter((path) => !/(?:^|\/)\.{0,2}(?:\/|$)/.test(path));
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (paths) => {
      const root = folder();
      for (const path of paths) {
        const place = join(root, path);
        try {
          mkdirSync(join(place, ".."), { recursive: true });
          writeFileSync(place, "");
        } catch {
          // One path needs a folder where another has a file.
        }
      }
      const visited: string[] = [];
      const visit = (path: string): void => {
        for (const entry of listFolder(join(root, path))) {
          const inner = path === "" ? entry.name : `${path}/${entry.name}`;
          if (entry.isDirectory()) visit(inner);
          else visited.push(inner);
        }
      };
      visit("");
      expect(visited).toEqual(visited.toSorted());
    }),
    { numRuns: 100 },
  );
});

test("names that are not UTF-8 are listed with all their bytes, next to others", () => {
  const root = folder({ "plain.ts": "" });
  const name = pathFromBytes(Buffer.from("caf\u00e9.ts", "latin1"));
  plantPaths(root, { [name]: "" });
  expect(listFolder(root).map((entry) => entry.name)).toEqual([name, "plain.ts"]);
});

test("a folder that is not there is the error of the file system", () => {
  expect(() => listFolder(join(folder(), "none"))).toThrow("ENOENT");
});
