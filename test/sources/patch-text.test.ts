import { expect, test } from "vitest";

import { parsePatches } from "../../src/sources/patch-text.ts";

const [ONE, OTHER] = ["1".repeat(40), "2".repeat(64)];

test("patches of several commits have files, hunks and lines", () => {
  const text = [
    ONE,
    "",
    "diff --git a/src/a.ts b/src/a.ts",
    "index 1..2 100644",
    "--- a/src/a.ts",
    "+++ b/src/a.ts",
    "@@ -3 +3,2 @@ function open() {",
    "-old",
    "+new",
    "+more\r",
    "@@ -9,2 +10,0 @@",
    "-one",
    "-two",
    "\\ No newline at end of file",
    OTHER,
    "diff --git a/b.ts b/c.ts",
    "similarity index 100%",
    "diff --git a/new.ts b/new.ts",
    "--- /dev/null",
    "+++ b/new.ts",
    "@@ -0,0 +1 @@",
    "+x",
    "",
  ].join("\n");
  expect(parsePatches(text)).toEqual([
    {
      id: ONE,
      files: [
        {
          path: "src/a.ts",
          oldPath: "src/a.ts",
          hunks: [
            {
              oldStart: 3,
              oldCount: 1,
              newStart: 3,
              newCount: 2,
              section: "function open() {",
              lines: ["-old", "+new", "+more"],
            },
            {
              oldStart: 9,
              oldCount: 2,
              newStart: 10,
              newCount: 0,
              section: "",
              lines: ["-one", "-two"],
            },
          ],
        },
      ],
    },
    {
      id: OTHER,
      files: [
        { path: undefined, oldPath: undefined, hunks: [] },
        {
          path: "new.ts",
          oldPath: undefined,
          hunks: [
            { oldStart: 0, oldCount: 0, newStart: 1, newCount: 1, section: "", lines: ["+x"] },
          ],
        },
      ],
    },
  ]);
});

test("lines of a file that look like headers stay lines", () => {
  const lines = [`+${OTHER}`, "+diff --git a/x b/x", "+@@ -1 +1 @@", "--- a/x"];
  const text = [ONE, "diff --git a/a b/a", "--- a/a", "+++ b/a", "@@ -1 +1,3 @@", ...lines].join(
    "\n",
  );
  const [commit, ...others] = parsePatches(text);
  expect(others).toEqual([]);
  expect(commit?.files[0]?.hunks[0]?.lines).toEqual(lines);
});

test("names in quotes are read with their bytes", () => {
  const text = [
    ONE,
    "diff --git x x",
    String.raw`--- "a/tab\there.ts"`,
    String.raw`+++ "b/caf\303\251\033[31m\"\\.ts"`,
    "@@ -1 +1 @@",
    "-a",
    "+b",
  ].join("\n");
  expect(parsePatches(text)[0]?.files[0]).toMatchObject({
    oldPath: "tab\there.ts",
    path: 'caf\u00e9\u001b[31m"\\.ts',
  });
});

test("a patch that is cut off ends with what is there", () => {
  const text = [ONE, "diff --git a/a b/a", "--- a/a", "+++ b/a", "@@ -0,0 +1,9 @@", "+one"].join(
    "\n",
  );
  expect(parsePatches(text)[0]?.files[0]?.hunks[0]?.lines).toEqual(["+one"]);
  expect(parsePatches("")).toEqual([]);
  expect(parsePatches("diff --git a/a b/a\n@@ -1 +1 @@\n-x\n")).toEqual([]);
});

test("a renamed file has both paths, also without hunks", () => {
  const text = [
    ONE,
    "diff --git a/b.ts b/c.ts",
    "similarity index 100%",
    "rename from b.ts",
    'rename to "d\\303\\251.ts"',
    "",
  ].join("\n");
  expect(parsePatches(text)[0]?.files).toEqual([
    { path: undefined, oldPath: undefined, hunks: [], renamed: { from: "b.ts", to: "dé.ts" } },
  ]);
});
