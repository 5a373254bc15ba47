import { expect, test } from "vitest";

import { CHECKS, planOf } from "../../../scripts/check/checks.ts";

const ALWAYS = ["types", "types of web"];

/** Names of the checks for these changed files. */
function checksFor(...changed: readonly string[]): readonly string[] {
  return planOf(changed).checks.map(({ name }) => name);
}

test.each<[string, readonly string[]]>([
  ["src/scan/walk.ts", ["format", "lint", ...ALWAYS, "layers", "names", "words"]],
  ["test/scan/walk.test.ts", ["format", "lint", ...ALWAYS, "names", "words", "test clocks"]],
  ["bench/scan.ts", ["format", "lint", ...ALWAYS, "names", "words"]],
  ["scripts/layers.ts", ["format", "lint", ...ALWAYS, "layers"]],
  ["scripts/check-layers.ts", ["format", "lint", ...ALWAYS, "layers"]],
  ["docs/guide.md", ["format", ...ALWAYS, "words", "generated files"]],
  ["man/svc.1", [...ALWAYS, "words", "generated files"]],
  ["knip.json", ["format", ...ALWAYS, "unused code"]],
])("%s needs at least %j", (file, names) => {
  expect(checksFor(file)).toEqual(expect.arrayContaining([...names]));
});

test.each<[string, readonly string[]]>([
  ["docs/guide.md", ["lint", "layers", "names", "test clocks", "unused code"]],
  ["test/scan/walk.test.ts", ["layers"]],
  ["src/scan/walk.ts", ["test clocks"]],
  ["assets/embeddings/README", ["format", "lint", "layers", "names", "words", "test clocks"]],
])("%s does not need %j, which are named", (file, names) => {
  expect(planOf([file]).leftOut).toEqual(expect.arrayContaining([...names]));
});

test("without a change only the types are checked", () => {
  expect(checksFor()).toEqual(ALWAYS);
});

test("every check runs, or is named as left out", () => {
  for (const { name } of CHECKS) {
    for (const changed of [[], ["docs/guide.md"], ["src/scan/walk.ts"], ["package.json"]]) {
      const { checks, leftOut } = planOf(changed);
      expect(
        [...checks.map((check) => check.name), ...leftOut].filter((one) => one === name),
      ).toEqual([name]);
    }
  }
});

test("other tools, or another configuration of theirs, need every check of every file", () => {
  for (const file of ["package.json", "package-lock.json", "tsconfig.json", ".oxlintrc.json"]) {
    expect(planOf([file])).toEqual({ checks: CHECKS, leftOut: [] });
  }
});

test("format and lint get the changed files that are there", () => {
  const changed = ["README.md", "src/gone.ts", "src/main.ts"];
  const { checks } = planOf(changed, (file) => file !== "src/gone.ts");
  const files = checks.map(({ name, args = [] }) => [
    name,
    args.filter((word) => !word.startsWith("-")),
  ]);
  expect(files.slice(0, 2)).toEqual([
    ["format", ["README.md", "src/main.ts"]],
    ["lint", ["src/main.ts"]],
  ]);
});

test("a removed file needs the checks of all files, and no other", () => {
  const names = planOf(["src/gone.ts"], () => false).checks.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["layers", "names", "words", "generated files"]));
  expect(names).not.toContain("lint");
});
