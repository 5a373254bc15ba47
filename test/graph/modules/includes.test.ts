import { expect, test } from "vitest";

import { importer, meaning, resolverOf } from "./tree-of.ts";

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

function ask(from: string, modules: readonly string[]): readonly string[] {
  const resolver = resolverOf({ files: FILES });
  return modules.map((module) => meaning(resolver, importer(from), module));
}

test("a header is beside the file, or where its path ends so, the nearest first", () => {
  const modules = [
    "internal.h",
    "../uv-common.h",
    "uv.h",
    "uv/errno.h",
    "<uv/errno.h>",
    "impl.inl",
  ];
  expect(ask("src/unix/core.c", modules)).toEqual([
    "src/unix/internal.h",
    "src/uv-common.h + src/uv-common.c",
    "include/uv.h",
    "include/uv/errno.h",
    "include/uv/errno.h",
    "src/impl.inl",
  ]);
  expect(ask("src/win/core.c", ["internal.h"])).toEqual(["src/win/internal.h"]);
});

test("a header brings its source along", () => {
  expect(ask("main.cpp", ["shape.hpp"])).toEqual(["lib/shape.hpp + lib/impl/shape.cpp"]);
});

test("headers of the system are not of the project, unless it is the system", () => {
  expect(ask("src/unix/core.c", ["stdio.h", "vector", "sys/types.h", "string.h"])).toEqual([
    "external",
    "external",
    "external",
    "include/string.h",
  ]);
});

test("a header is included by its name", () => {
  expect(resolverOf({ files: FILES }).lastPartsOf("include/uv/errno.h", "c")).toEqual(["errno"]);
});
