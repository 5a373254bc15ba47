import { expect, test } from "vitest";

import { ignoresCase } from "../../src/base/ignores-case.ts";

test("files of languages in which case has no meaning", () => {
  const paths = ["lib/Run.PS1", "db/a.sql", "CMakeLists.txt", "src/CMakeLists.txt", "a.f90"];
  expect(paths.filter(ignoresCase)).toEqual(paths);
  expect(["a.py", "sql.ts", "notcmakelists.txt"].filter(ignoresCase)).toEqual([]);
});
