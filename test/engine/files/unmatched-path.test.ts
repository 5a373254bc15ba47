import { expect, test } from "vitest";

import { hintWithout, unmatchedPathHint } from "../../../src/engine/files/unmatched-path.ts";
import { memoryIndex } from "../../helpers/memory-index.ts";

test.each<[string | readonly string[] | undefined, string | undefined, string | undefined]>([
  ["src/nope/**", undefined, 'No indexed file matches path "src/nope/**".'],
  [["src/**", "*.py"], undefined, 'No indexed file matches path "src/**" and "*.py".'],
  ["src/**", "docs", 'No indexed file matches path "src/**".'],
  ["src/**", undefined, undefined],
  [undefined, "nope", undefined],
])("of path %j within %s the hint is %s", async (path, within, hint) => {
  const reader = await memoryIndex({ "src/a.ts": "open();\n", "docs/a.md": "# Open\n" });
  expect(await unmatchedPathHint(reader, { path, within })).toBe(hint);
});

test("an answer with results has no hint", async () => {
  const reader = await memoryIndex({ "src/a.ts": "open();\n" });
  expect(await hintWithout([1], { reader }, { path: "nope" })).toEqual({});
  expect(await hintWithout([], { reader }, { path: "nope" })).toEqual({
    hint: 'No indexed file matches path "nope".',
  });
});
