// Runs the ctags of the machine on small trees.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, expect, test } from "vitest";

import { compareTree } from "../../../scripts/symbols/compare.ts";
import { countsOf, report, tableRow } from "../../../scripts/symbols/report.ts";
import { needs } from "../../helpers/needs.ts";

const root = mkdtempSync(path.join(tmpdir(), "svc-symbols-"));
afterAll(() => rmSync(root, { recursive: true }));

function tree(name: string, files: Readonly<Record<string, string>>): string {
  const folder = path.join(root, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

needs(["ctags"], () => {
  test("finds in Go what ctags finds, and classifies a package clause", async () => {
    const folder = tree("go", {
      "a/tree.go":
        'package a\n\nimport "fmt"\n\ntype Tree struct {\n\troot, leaf int\n}\n\nfunc (t *Tree) Walk() { fmt.Println(t) }\n',
      "vendor/other.go": "package other\n\nfunc Vendored() {}\n",
    });
    const agreement = await compareTree("go", folder);
    expect(agreement.files).toBe(1);
    expect(agreement.ctags.both.map(({ name }) => name)).toEqual(["Tree", "root", "leaf", "Walk"]);
    expect(agreement.ctags.missed.map(({ name, reason }) => [name, reason])).toEqual([
      ["a", "package clause"],
    ]);
    expect(agreement.ctags.onlyOurs).toEqual([]);
    expect(agreement.tagsQueries.both.map(({ name }) => name)).toEqual(["Tree", "Walk"]);
    expect(agreement.tagsQueries.onlyOurs.map(({ name }) => name)).toEqual(["root", "leaf"]);
  });

  test("reports local definitions, and definitions with another name in svc", async () => {
    const folder = tree("c", {
      "a.c":
        "#ifndef A_H\n#define A_H\n#endif\nTEST_CASE(opens) {\n  int local;\n}\nint used(void) {\n#define INNER 1\n  return INNER;\n}\n",
    });
    const { ctags } = await compareTree("c", folder);
    expect(ctags.both.map(({ name }) => name)).toEqual(["used"]);
    expect(ctags.missed.map(({ name, reason }) => [name, reason])).toEqual([
      ["A_H", "include guard"],
      ["TEST_CASE", "macro that defines a function"],
      ["INNER", "inside a function"],
    ]);
    expect(countsOf(ctags)).toMatchObject({
      found: 4,
      both: 1,
      excluded: 3,
      missed: 0,
      recall: "1.000",
    });
  });

  test("is printed by kind and by class of difference", async () => {
    const folder = tree("python", {
      "a.py": "import os.path as path\n\nclass A:\n    def b(self):\n        self.c = 1\n",
    });
    const agreement = await compareTree("python", folder);
    const text = report(agreement, { examples: 1 });
    expect(text).toContain(
      "universal-ctags: 3 definitions; ours too 2, set aside 1, missed 0, recall 1.000; only ours 1",
    );
    expect(text).toContain("  only theirs: namespace: import 1\n      a.py:1 path");
    expect(text).toContain("  only ours: field 1\n      a.py:5 c");
    expect(tableRow(agreement)).toMatch(/^1 \| 3 \| 2 \| 1 \| 0 \| 1\.000 \| 1 \| /);
  });

  test("refuses a language that it does not know", async () => {
    await expect(compareTree("cobol", root)).rejects.toThrow("no such language: cobol; one of ");
  });
});
