import { expect, test } from "vitest";

import { GREP_FLAG_HINTS, hintForFlag } from "../../src/cli/flag-hints.ts";

test("a name of other programs leads to the flag, if the command has it", () => {
  expect(hintForFlag("glob", new Set(["path"]))).toBe("Did you mean --path?");
  expect(hintForFlag("glob", new Set(["limit"]))).toBeUndefined();
  expect(hintForFlag("branch", new Set(["ref"]))).toBe("Did you mean --ref?");
});

test("a flag that no command has leads to what replaces it", () => {
  expect(hintForFlag("no-color", new Set())).toBe("Set NO_COLOR=1.");
  expect(hintForFlag("quiet", new Set())).toContain("exit code");
});

test("a hint of the command comes first", () => {
  expect(hintForFlag("A", new Set(["context"]), GREP_FLAG_HINTS)).toContain("-C N");
  expect(hintForFlag("constructor", new Set(), GREP_FLAG_HINTS)).toBeUndefined();
});
