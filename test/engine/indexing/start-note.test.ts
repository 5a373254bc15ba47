import { expect, test } from "vitest";

import { decodeStart, encodeStart } from "../../../src/engine/indexing/start-note.ts";

test("a note returns what was encoded; an index without one was built from the files", () => {
  const note = { base: "main", same: 3, files: 5 };
  expect(decodeStart(encodeStart(note))).toEqual(note);
  expect(decodeStart(undefined)).toBeUndefined();
});
