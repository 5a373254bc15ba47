import { expect, test } from "vitest";

import { pathTexts } from "../../src/index/path-texts.ts";

test.each([
  ["src/scan/walk.ts", ["src/scan/walk", "walk"]],
  ["README.md", ["README", "README"]],
  ["a.test.ts", ["a.test", "a.test"]],
  ["etc/.env", ["etc/", ""]],
  ["Makefile", ["Makefile", "Makefile"]],
  ["v1.0-release notes", ["v1.0-release notes", "v1.0-release notes"]],
])("the terms of %s are those of %j", (path, texts) => {
  expect(pathTexts(path)).toEqual(texts);
});
