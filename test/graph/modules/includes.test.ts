import { expect, test } from "vitest";

import { firstFileOf } from "../../../src/graph/modules/module-target.ts";
import { nearestPath } from "../../../src/graph/modules/path-search.ts";
import { importer, describeTarget, resolverOf } from "./tree-of.ts";

const FILES = [
  "include/uv.h",
  "include/uv/errno.h",
  "include/string.h",
  "src/uv-common.h",
  "src/uv-common.c",
  "src/unix/internal.h",
  "src/win/internal.h",
  "src/win/core.c",
  "src/unix/core.c",
  "src/impl.inl",
  "deps/compat/stdio.h",
  "lib/shape.hpp",
  "lib/impl/shape.cpp",
];

function resolveAll(from: string, modules: readonly string[]): readonly string[] {
  const resolver = resolverOf({ files: FILES });
  return modules.map((module) => describeTarget(resolver, importer(from), module));
}

test("a header is in the folder of the file, or else the nearest one with that path suffix", () => {
  const modules = [
    "internal.h",
    "../uv-common.h",
    "uv.h",
    "uv/errno.h",
    "<uv/errno.h>",
    "impl.inl",
  ];
  expect(resolveAll("src/unix/core.c", modules)).toEqual([
    "src/unix/internal.h",
    "src/uv-common.h + src/uv-common.c",
    "include/uv.h",
    "include/uv/errno.h",
    "include/uv/errno.h",
    "src/impl.inl",
  ]);
  expect(resolveAll("src/win/core.c", ["internal.h"])).toEqual(["src/win/internal.h"]);
});

test("each importer gets the nearest header, also after others have asked", () => {
  const files = ["a/x.h", "a/b/x.h", "a/b/tests/x.h", "c/x.h", "e/x/x.h", "q/x.h"];
  const folders = ["a/b/c", "a/b/tests/deep", "a/e", "c/f/g", "d", "d/x/y", "z", "z/y"];
  const modules = ["x.h", "b/x.h"];
  const resolver = resolverOf({ files });
  const questions = folders.flatMap((folder) => modules.map((module) => ({ folder, module })));
  for (const { folder, module } of [...questions, ...questions.toReversed()]) {
    const from = importer(`${folder}/main.c`);
    const candidates = files.filter((path) => path.endsWith(`/${module}`));
    const found = firstFileOf(resolver.resolve(from, module));
    expect([from.path, module, found]).toEqual([
      from.path,
      module,
      nearestPath(from.path, candidates),
    ]);
  }
});

test("the header itself is known without its source", () => {
  const target = resolverOf({ files: FILES }).resolve(importer("main.cpp"), '"shape.hpp"');
  expect(firstFileOf(target)).toBe("lib/shape.hpp");
  expect(target.files).toEqual(["lib/shape.hpp", "lib/impl/shape.cpp"]);
  expect(target).toMatchObject({ isPackage: false, isExternal: false, rest: [] });
});

test("a header is resolved together with its source", () => {
  expect(resolveAll("main.cpp", ["shape.hpp"])).toEqual(["lib/shape.hpp + lib/impl/shape.cpp"]);
});

test("system headers are external, unless the project contains the system library", () => {
  expect(resolveAll("src/unix/core.c", ["stdio.h", "vector", "sys/types.h", "string.h"])).toEqual([
    "external",
    "external",
    "external",
    "include/string.h",
  ]);
});

test("the last part of an include is the header's name", () => {
  expect(resolverOf({ files: FILES }).lastPartsOf("include/uv/errno.h", "c")).toEqual(["errno"]);
});
