import { expect, test } from "vitest";

import { nameProblems } from "../../scripts/check-names.ts";

/** The problems that mention one of `files`: without the allowed names, which these files do not export. */
function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  return nameProblems(new Map(Object.entries(files))).filter(
    (problem) => !problem.startsWith("only one file exports"),
  );
}

test.each([
  ["functions", "export function open() {}", "export async function open() {}"],
  ["a class and a constant", "export abstract class open {}", "export const open = 1;"],
  ["a type and an interface", "export type open = 1;", "export interface open {}"],
])("a name that two files export is a problem: %s", (_kinds, one, two) => {
  expect(problemsOf({ "src/a.ts": one, "src/b.ts": two })).toEqual([
    "open is exported by src/a.ts and src/b.ts: give each its own name",
  ]);
});

test("a name that one file exports and others use, declare or export again is none", () => {
  expect(
    problemsOf({
      "src/a.ts": "export function open(name: string): void;\nexport function open() {}",
      "src/b.ts": 'export { open } from "./a.ts";',
      "src/c.ts": "function open() {}\nopen();",
    }),
  ).toEqual([]);
});

test("outside of src/, several files may export a name", () => {
  const text = "export function open() {}";
  expect(problemsOf({ "src/a.ts": text, "test/a.ts": text, "bench/a.ts": text })).toEqual([]);
});

test.each(["src/a.ts", "test/a.test.ts", "bench/a.ts", "scripts/a.ts"])(
  "limits are called MAX_ or MIN_ in %s",
  (file) => {
    const text = "const MOST_FILES = 3;\nconst MAX_FILES = 4;\n  export let FEWEST = 5;";
    expect(problemsOf({ [file]: text })).toEqual([
      `${file}: MOST_FILES is a limit: begin it with MAX_ or MIN_`,
      `${file}: FEWEST is a limit: begin it with MAX_ or MIN_`,
    ]);
  },
);

test("an allowed name that no longer needs it is a problem", () => {
  expect(nameProblems(new Map([["src/a.ts", "export const command = 1;"]]))).toContain(
    "only one file exports command: remove it from ALLOWED",
  );
});
