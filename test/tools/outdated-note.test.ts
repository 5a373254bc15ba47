import { expect, test } from "vitest";

import { outdatedNotes, outdatedRecord } from "../../src/tools/outdated-note.ts";

const REMOVED = {
  line: 7,
  name: "--dry-run",
  became: "",
  commit: "c".repeat(40),
  authoredAt: "2026-01-31T10:00:00Z",
};
const RENAMED = { ...REMOVED, line: 9, name: "open", became: "start", authoredAt: "" };

test("a removal and a renaming are one line each", () => {
  expect(outdatedNotes({ outdated: [REMOVED, RENAMED] })).toEqual([
    "line 7: `--dry-run` was removed in cccccccccc (2026-01-31)",
    "line 9: `open` was renamed to `start` in cccccccccc",
  ]);
  expect(outdatedNotes({ outdated: Array.from({ length: 9 }, () => REMOVED) })).toHaveLength(3);
  expect(outdatedNotes({})).toEqual([]);
});

test("a record has only what is known", () => {
  const { line, name, commit, authoredAt: date } = REMOVED;
  expect(outdatedRecord({ outdated: [REMOVED, RENAMED] })).toEqual({
    outdated: [
      { line, name, commit, date },
      { line: 9, name: "open", became: "start", commit },
    ],
  });
  expect(outdatedRecord({ outdated: [] })).toEqual({});
});
