import { expect, test } from "vitest";

import { IncludedDefinitions } from "../../../src/index/pagerank/included-definitions.ts";

/** Two trees of headers, like those of Linux: path -> the included files. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  "include/linux/slab.h": [],
  "mm/slab.c": ["linux/slab.h"],
  "tools/include/linux/slab.h": [],
  "tools/lib/slab.c": ["<linux/slab.h>"],
  "drivers/mm/slab.c": [],
  "tools/vm/linux/kernel.h": [],
  "include/linux/kernel.h": [],
  "include/linux/fs.h": ["linux/slab.h"],
  "fs/inode.c": ["linux/slab.h", "linux/kernel.h"],
  "fs/file.c": ["linux/fs.h"],
  "tools/perf/map.c": ["../include/linux/slab.h"],
};
const PATHS = Object.keys(FILES);

function call(user: string, definers: readonly string[]) {
  const included = new IncludedDefinitions(
    PATHS.map((path) => ({ path, modules: () => FILES[path] ?? [] })),
  );
  const numbers = definers.map((path) => PATHS.indexOf(path));
  return {
    weights: included.weights(PATHS.indexOf(user), numbers),
    seen: included.seenBy(PATHS.indexOf(user), numbers).map((number) => PATHS[number]),
  };
}

const OF_SLAB = PATHS.slice(0, 4);

test("a file means what the nearest of the headers declares that its include can mean", () => {
  expect(call("fs/inode.c", OF_SLAB).weights).toEqual([8, 8, 0.1, 0.1]);
  expect(call("tools/perf/map.c", OF_SLAB).weights).toEqual([0.1, 0.1, 8, 8]);
});

test("a header counts also if it does not define the name", () => {
  const { weights } = call("fs/inode.c", ["tools/vm/linux/kernel.h", "drivers/mm/slab.c"]);
  expect(weights).toEqual([0.1, 1]);
});

test("without an include of its own, a file means the tree that it is in", () => {
  expect(call("fs/file.c", OF_SLAB).weights).toEqual([1, 1, 0.1, 0.1]);
});

test("a definition in the same folder is likelier than one elsewhere", () => {
  expect(call("fs/file.c", ["fs/inode.c", "drivers/mm/slab.c"]).weights).toEqual([3, 1]);
});

test("a file sees the headers that it includes, and the sources that include them too", () => {
  expect(call("fs/inode.c", OF_SLAB).seen).toEqual(["include/linux/slab.h", "mm/slab.c"]);
  expect(call("fs/file.c", OF_SLAB).seen).toEqual([]);
});
