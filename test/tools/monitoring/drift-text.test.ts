import { expect, test } from "vitest";

import type { DriftItem, DriftResult } from "../../../src/engine/api/drift.ts";
import { driftRecord } from "../../../src/tools/monitoring/drift-record.ts";
import { driftText } from "../../../src/tools/monitoring/drift-text.ts";

const ITEM: DriftItem = {
  path: "docs/api.md",
  line: 12,
  section: "Sessions",
  kind: "name",
  text: "Session.open()",
  name: "open",
  became: "start",
  removed: {
    commit: "1234567890".repeat(4),
    authoredAt: "2026-01-31T12:00:00.000Z",
    subject: "Rename it",
    path: "src/session.ts",
  },
};
const RESULT: DriftResult = {
  namespace: "project",
  generation: 3,
  statements: [ITEM],
  hasMore: false,
  checked: { pages: 2, statements: 9 },
  partial: [],
};

test("a statement is a line, and what is missing comes after it", () => {
  expect(driftText(RESULT)).toBe(
    "docs/api.md:12  Sessions  `Session.open()`: `open` was renamed to `start` in 1234567890 (2026-01-31): Rename it",
  );
  const bare: DriftItem = { ...ITEM, section: "", text: "open", became: "" };
  const removed = { ...ITEM.removed, authoredAt: "" };
  expect(
    driftText({
      ...RESULT,
      statements: [{ ...bare, removed }],
      hasMore: true,
      partial: ["Only some."],
    }),
  ).toBe(
    [
      "docs/api.md:12  `open` was removed in 1234567890: Rename it",
      "There are more: raise the limit, or narrow them with a path.",
      "Only some.",
    ].join("\n"),
  );
  expect(driftText({ ...RESULT, statements: [] })).toBe(
    "No outdated names: checked 9 names on 2 pages.",
  );
});

test("as JSON it leaves out what is not known", () => {
  expect(driftRecord(RESULT)).toMatchObject({
    statements: [
      { section: "Sessions", became: "start", removed: { date: "2026-01-31T12:00:00.000Z" } },
    ],
    checked: { pages: 2, statements: 9 },
  });
  const removed = { ...ITEM.removed, authoredAt: "", path: "" };
  const record = driftRecord({
    ...RESULT,
    statements: [{ ...ITEM, section: "", became: "", removed }],
    partial: ["x"],
  });
  expect(record).toMatchObject({ partial: ["x"], has_more: false });
  expect(record["statements"]).toEqual([
    {
      path: "docs/api.md",
      line: 12,
      kind: "name",
      text: "Session.open()",
      name: "open",
      removed: { commit: ITEM.removed.commit, subject: "Rename it" },
    },
  ]);
});
