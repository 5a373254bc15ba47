import { expect, test } from "vitest";

import { shownPaths } from "../../../src/engine/files/shown-paths.ts";
import type { ConfiguredSource } from "../../../src/engine/indexing/project-settings.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";

const PATHS = [".env", "src/a.ts", "src/gen/b.ts", "vendor/c.ts", "docs/d.md", "e.py"];

function shown(source: Partial<ConfiguredSource>): readonly string[] {
  return PATHS.filter(shownPaths([{ ...sourceAt("/project"), ...source }]));
}

test("names of secrets are left out, and everything else is shown", () => {
  expect(shown({})).toEqual(PATHS.slice(1));
});

test("globs of the owner and of the project narrow it", () => {
  expect(shown({ exclude: ["gen/"] })).not.toContain("src/gen/b.ts");
  expect(shown({ include: ["src/"] })).toEqual(["src/a.ts", "src/gen/b.ts"]);
  const filter = { exclude: ["vendor/"] };
  expect(shown({ exclude: ["gen/"], project: { filter, warnings: [] } })).toEqual([
    "src/a.ts",
    "docs/d.md",
    "e.py",
  ]);
});

test("languages and documents of the project count by the name of the file", () => {
  const project = { filter: { languages: ["python"], documents: false }, warnings: [] };
  expect(shown({ project })).toEqual(["e.py"]);
});

test("a path of no source is not shown", () => {
  expect(shown({ prefix: "other/" })).toEqual([]);
});
