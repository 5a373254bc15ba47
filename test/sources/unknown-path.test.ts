import { expect, test } from "vitest";

import { UnknownPath } from "../../src/sources/unknown-path.ts";

const PROBLEM = {
  what: "file",
  path: "a.ts",
  nearest: ["src/a.ts", "b.ts"],
  isAlike: true,
} as const;

test.each([
  [PROBLEM, "Nearest: src/a.ts, b.ts."],
  [{ ...PROBLEM, isAlike: false }, "In the same folder: src/a.ts, b.ts."],
  [
    { ...PROBLEM, nearest: [] },
    "Paths are relative to the source root, with `/`; `outline` lists them.",
  ],
])("the hint names other paths, or how paths are written (%#)", (problem, hint) => {
  expect(new UnknownPath(problem)).toMatchObject({
    code: "PATH_NOT_FOUND",
    message: 'No file "a.ts".',
    hint,
  });
});

test("a caller with other paths gets the same error with those", () => {
  const error = new UnknownPath({ ...PROBLEM, what: "file or folder" });
  expect(error.withPaths((path) => `../${path}`)).toMatchObject({
    code: "PATH_NOT_FOUND",
    message: 'No file or folder "../a.ts".',
    hint: "Nearest: ../src/a.ts, ../b.ts.",
  });
  expect(error.withPaths((path) => `../${path}`, "./a.ts").message).toBe(
    'No file or folder "./a.ts".',
  );
});
