import { expect, test } from "vitest";

import { whyRecord } from "../../../src/tools/monitoring/why-record.ts";
import { ID, whyCommit, whyResult } from "./why-samples.ts";

test("members that do not apply are left out", () => {
  expect(whyRecord(whyResult({ commits: [whyCommit({ authoredAt: "" })] }))).toEqual({
    namespace: "project",
    generation: 3,
    kind: "words",
    commits: [{ commit: ID, author: "Ada", subject: "Retry uploads" }],
    more_commits: 0,
  });
});

test("all members of a place and its commits", () => {
  const commit = whyCommit({
    body: "They failed.",
    why: ["wrote line 2"],
    issues: ["#1"],
    merged: { request: "#1", commit: "3" },
    reverts: "1",
    revertedBy: "2",
    isFormatting: true,
    path: "a.ts",
    hunk: "@@ -1,1 +1,1 @@\n-a\n+b",
    touched: [{ path: "a.ts", symbol: "open" }],
  });
  const target = {
    path: "a.ts",
    startLine: 2,
    endLine: 3,
    symbol: "open",
    uncommitted: [3],
    others: [{ path: "b.ts", startLine: 9, qualifiedName: "B.open" }],
  };
  const result = whyResult({
    kind: "place",
    target,
    commits: [commit],
    moreCommits: 4,
    partial: ["More."],
  });
  expect(whyRecord(result)).toEqual({
    namespace: "project",
    generation: 3,
    kind: "place",
    target: {
      path: "a.ts",
      start_line: 2,
      end_line: 3,
      symbol: "open",
      uncommitted_lines: [3],
      others: [{ path: "b.ts", line: 9, symbol: "B.open" }],
    },
    commits: [
      {
        commit: ID,
        date: "2026-01-02T03:04:05.000Z",
        author: "Ada",
        subject: "Retry uploads",
        body: "They failed.",
        why: ["wrote line 2"],
        issues: ["#1"],
        reverts: "1",
        merged: { request: "#1", commit: "3" },
        reverted_by: "2",
        formatting_only: true,
        path: "a.ts",
        hunk: "@@ -1,1 +1,1 @@\n-a\n+b",
        touched: [{ path: "a.ts", symbol: "open" }],
      },
    ],
    more_commits: 4,
    partial: ["More."],
  });
});
