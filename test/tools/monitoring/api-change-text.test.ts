import { expect, test } from "vitest";

import type { ApiChange, ApiChangesResult } from "../../../src/engine/api/api-changes.ts";
import { apiChangesRecord } from "../../../src/tools/monitoring/api-change-record.ts";
import {
  apiChangeLines,
  apiGroups,
  apiHeadline,
  apiNotes,
} from "../../../src/tools/monitoring/api-change-text.ts";

const ADDED: ApiChange = {
  change: "added",
  isBreaking: false,
  kind: "class",
  name: "harbour.Crane",
  aliases: [],
  newName: "",
  path: "src/crane.ts",
  line: 3,
  oldSignature: "",
  signature: "export class Crane",
  details: [],
  members: 2,
  users: [],
  userCount: undefined,
};
const CHANGED: ApiChange = {
  ...ADDED,
  change: "signature",
  isBreaking: true,
  kind: "function",
  name: "harbour.open",
  aliases: ["harbour/port.open"],
  oldSignature: "export function open(a: string)",
  signature: `export function open(${"b: string, ".repeat(20)})`,
  details: [
    { what: "parameter type", isBreaking: true, parameter: "a", before: "string", after: "URL" },
    { what: "made", isBreaking: true, parameter: "", before: "", after: "static" },
  ],
  members: 0,
  users: [
    { path: "src/a.ts", line: 1, symbol: "run", certainty: "exact" },
    {
      namespace: "shop",
      path: "b.ts",
      line: 2,
      symbol: "",
      certainty: "name",
      version: "1.0.0",
      isLocked: true,
    },
    {
      namespace: "old",
      path: "c.ts",
      line: 3,
      symbol: "",
      certainty: "name",
      version: "^1.0.0",
      isLocked: false,
    },
  ],
  userCount: 9,
};
const RESULT: ApiChangesResult = {
  namespace: "harbour",
  since: "v1",
  at: "v2",
  changes: [
    CHANGED,
    { ...CHANGED, isBreaking: false, name: "harbour.other", userCount: undefined, users: [] },
    ADDED,
  ],
  breaking: 1,
  compatible: 1,
  added: 1,
  hasMore: true,
  missing: ['"x" was not searched.'],
};

test("a change has its declarations, what differs in them, and its first users", () => {
  const lines = apiChangeLines(CHANGED);
  expect(lines.filter((line) => !line.startsWith("  +"))).toEqual([
    "signature  function harbour.open (harbour/port.open)  src/crane.ts:3",
    "  - export function open(a: string)",
    "  parameter type a: string -> URL",
    "  made static",
    "  used by src/a.ts:1 in run, exact",
    "  used by b.ts:2 [shop], by name, locked to 1.0.0",
    "  used by c.ts:3 [old], by name, allows ^1.0.0",
    "  used by 6 more",
  ]);
  expect(lines.find((line) => line.startsWith("  +"))?.length).toBeLessThan(170);
  expect(apiChangeLines(ADDED)).toEqual([
    "added      class harbour.Crane, 2 members  src/crane.ts:3",
  ]);
});

test("breaking changes come first, and the headline counts all", () => {
  expect(apiGroups(RESULT).map(({ title, changes }) => `${title} ${changes.length}`)).toEqual([
    "Breaking 1",
    "Compatible 1",
    "Added 1",
  ]);
  expect(apiHeadline(RESULT)).toBe("v1..v2: 1 breaking change, 1 compatible, 1 added");
  expect(apiHeadline({ ...RESULT, at: "", breaking: 0, compatible: 0, added: 0 })).toBe(
    "v1 and the current files: no public definition differs.",
  );
  expect(apiNotes(RESULT)).toEqual([
    "There are more: raise the limit, or narrow them with a path.",
    '"x" was not searched.',
  ]);
});

test("JSON leaves out what does not apply", () => {
  expect(apiChangesRecord({ ...RESULT, at: "", changes: [ADDED], missing: [] })).toEqual({
    namespace: "harbour",
    since: "v1",
    breaking: 1,
    compatible: 1,
    added: 1,
    changes: [
      {
        change: "added",
        breaking: false,
        kind: "class",
        name: "harbour.Crane",
        path: "src/crane.ts",
        line: 3,
        signature: "export class Crane",
        members: 2,
      },
    ],
    has_more: true,
  });
  expect(apiChangesRecord(RESULT)).toMatchObject({
    at: "v2",
    missing: ['"x" was not searched.'],
    changes: [{ aliases: ["harbour/port.open"], user_count: 9 }, {}, {}],
  });
});
