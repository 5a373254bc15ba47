import { expect, test } from "vitest";

import { exportsOfR } from "../../../src/engine/api-changes/r-exports.ts";
import { fileTreeOf } from "../../../src/index/file-tree.ts";

const FILES: Readonly<Record<string, string>> = {
  NAMESPACE: "export(open_it)\nexport(`+.text`, 'close it')\n# export(old)\n",
  "inner/NAMESPACE": 'exportPattern("^[[:alpha:]]+")\n',
};

test("a name is exported by the innermost package around its file", async () => {
  const tree = fileTreeOf(["NAMESPACE", "R/a.R", "inner/NAMESPACE", "inner/R/b.R"]);
  const parts = { readFile: (path: string) => FILES[path] };
  // @ts-expect-error -- the other parts are not needed
  const isExported = await exportsOfR({ tree: async () => tree, parts });
  const names = ["open_it", "+.text", "close it", "old", "helper"];
  expect(names.filter((name) => isExported("R/a.R", name))).toEqual([
    "open_it",
    "+.text",
    "close it",
  ]);
  expect([isExported("inner/R/b.R", "helper"), isExported("inner/R/b.R", ".x")]).toEqual([
    true,
    false,
  ]);
});

test("without a NAMESPACE, names that begin with a dot are internal", async () => {
  // @ts-expect-error -- no file is read
  const isExported = await exportsOfR({ tree: async () => fileTreeOf(["a.R"]), parts: {} });
  expect([isExported("a.R", "open_it"), isExported("a.R", ".open")]).toEqual([true, false]);
});
