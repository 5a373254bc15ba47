import { expect, test } from "vitest";

import {
  enterFilters,
  excludeFile,
  excludeFolder,
  kindFilter,
  rootFilters,
  type ProjectFilter,
} from "../../src/scan/walk-filters.ts";

test("a file must pass every filter: no filter includes what another one excludes", () => {
  const filters = rootFilters([
    { include: ["src/"], exclude: ["*.snap"] },
    { include: ["*.ts", "!no.ts"], exclude: ["!*.snap", "!gen/", "old/"] },
  ]);
  expect([excludeFile(filters, "a.ts"), excludeFolder(filters, "old")]).toEqual([true, true]);
  const src = enterFilters(filters, "src");
  const names = ["a.ts", "a.js", "no.ts", "a.ts.snap"];
  expect(names.filter((name) => !excludeFile(src, name))).toEqual(["a.ts"]);
});

test("a filter without globs excludes nothing and costs nothing", () => {
  expect(rootFilters([{}, { include: [], exclude: [] }])).toEqual([]);
});

const PATHS = [
  "a.ts",
  "a.tsx",
  "a.h",
  "a.cpp",
  "a.py",
  "config.json",
  "README.md",
  "docs/index.html",
  "notes.txt",
  "LICENSE",
  "unknown.zzz",
];

test.each<[ProjectFilter, readonly string[] | undefined]>([
  [{}, undefined],
  [{ documents: true, languages: [] }, undefined],
  [{ documents: false }, ["a.ts", "a.tsx", "a.h", "a.cpp", "a.py", "config.json", "unknown.zzz"]],
  [
    { languages: ["typescript"] },
    ["a.ts", "a.tsx", "README.md", "docs/index.html", "notes.txt", "LICENSE"],
  ],
  [{ languages: ["cpp", "python"], documents: false }, ["a.h", "a.cpp", "a.py"]],
  [{ languages: ["tsx"], documents: false }, ["a.tsx"]],
])("%j includes the files of these kinds", (filter, wanted) => {
  const includes = kindFilter(filter);
  expect(includes && PATHS.filter(includes)).toEqual(wanted);
});
