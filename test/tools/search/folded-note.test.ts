import { expect, test } from "vitest";

import { foldedMark, foldedNote } from "../../../src/tools/search/folded-note.ts";

test.each([
  [[], [], ""],
  [["a"], [], "+ 1 copy"],
  [["a", "b"], ["c"], "+ 2 copies, 1 translation"],
  [[], ["a", "b", "c"], "+ 3 translations"],
])("copies %j and translations %j", (copies, translations, note) => {
  expect(foldedNote({ copies, translations })).toBe(note);
  expect(foldedMark({ copies, translations })).toBe(note === "" ? "" : `  ${note}`);
});
