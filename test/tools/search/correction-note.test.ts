import { expect, test } from "vitest";

import { correctionNote } from "../../../src/tools/search/correction-note.ts";

test("each corrected word is a line", () => {
  expect(correctionNote({ corrections: [] })).toBe("");
  const corrections = [
    { from: "sesison", to: "session" },
    { from: "tokne", to: "token" },
  ];
  expect(correctionNote({ corrections })).toBe(
    'No match for "sesison"; searched for "session".\nNo match for "tokne"; searched for "token".',
  );
});
