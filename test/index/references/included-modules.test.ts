import { expect, test } from "vitest";

import {
  IncludedModules,
  includedModules,
  IncludedModulesWriter,
} from "../../../src/index/references/included-modules.ts";

const FILES = [["linux/slab.h", "größe.h"], [], ["linux/mm.h", "linux/slab.h"]] as const;

function written(files: readonly (readonly string[])[]): Uint8Array {
  const writer = new IncludedModulesWriter();
  for (const modules of files) writer.add(modules);
  return writer.finish();
}

test("the modules of each file are read as they were written", () => {
  const read = new IncludedModules(written(FILES), 3);
  expect(FILES.map((_, file) => read.of(file))).toEqual(FILES);
  expect(new IncludedModules(written([]), 0).of(0)).toEqual([]);
});

test("imports of names are left out", () => {
  const one = { line: 1, bindings: [{ name: "a", local: "a" }], isReexport: false };
  expect(
    includedModules([
      { ...one, module: "a", isWildcard: false },
      { ...one, module: "b", bindings: [], isWildcard: true },
    ]),
  ).toEqual(["b"]);
});

test("bytes of another number of files, or of none, are damage", () => {
  for (const files of [2, 4]) {
    expect(() => new IncludedModules(written(FILES), files)).toThrow(
      "The includes section of the index is damaged.",
    );
  }
  expect(() => new IncludedModules(Buffer.from("no zstd"), 3)).toThrow(
    "The includes section of the index is damaged.",
  );
});
