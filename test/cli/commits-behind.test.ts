import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import {
  commitsBehind,
  commitsBehindRecord,
  commitsBehindText,
} from "../../src/cli/commits-behind.ts";
import { ID, whyCommit, whyResult } from "../tools/monitoring/why-samples.ts";

const TARGET = { path: "a.ts", startLine: 2, endLine: 4, symbol: "", uncommitted: [3], others: [] };
const RESULT = whyResult({
  target: TARGET,
  commits: [whyCommit({ why: ["wrote 2 of 3 lines"], body: "Long.", hunk: "+a", path: "a.ts" })],
  moreCommits: 2,
  partial: ["The clone is shallow."],
});

test("a part has a line for each commit, and what is missing", async () => {
  const asked: string[] = [];
  const [behind, none] = await commitsBehind(
    [TARGET, { ...TARGET, path: "b.ts" }],
    async (place) => {
      asked.push(place);
      if (place.startsWith("b")) throw new SvcError("INVALID_PARAMS", "b.ts has no history.");
      return RESULT;
    },
  );
  if (behind === undefined || none === undefined) throw new Error("no parts");
  expect(asked).toEqual(["a.ts:2-4", "b.ts:2-4"]);
  expect(commitsBehindText(behind)).toBe(
    [
      "Commits behind a.ts:2-4:",
      "  1 line is not committed yet",
      "  0123456789  2026-01-02  Ada  Retry uploads  (wrote 2 of 3 lines)",
      "  2 more: svc why a.ts:2-4",
      "  The clone is shallow.",
    ].join("\n"),
  );
  expect(commitsBehindRecord(behind)).toEqual({
    commits: [
      {
        commit: ID,
        date: "2026-01-02T03:04:05.000Z",
        author: "Ada",
        subject: "Retry uploads",
        why: ["wrote 2 of 3 lines"],
      },
    ],
    more_commits: 2,
  });
  expect(commitsBehindText(none)).toBe("Commits behind b.ts:2-4:\n  b.ts has no history.");
  expect(commitsBehindRecord(none)).toEqual({ commits: [], problem: "b.ts has no history." });
});

test("a cancelled question ends all", async () => {
  const cancelled = new SvcError("TIMEOUT", "The call was cancelled.");
  await expect(commitsBehind([TARGET], () => Promise.reject(cancelled))).rejects.toBe(cancelled);
});
