import type { WhyCommit, WhyResult } from "../../../src/engine/api/why.ts";

export const ID = "0123456789abcdef0123456789abcdef01234567";

export function whyCommit(more: Partial<WhyCommit> = {}): WhyCommit {
  return {
    id: ID,
    author: "Ada",
    authoredAt: "2026-01-02T03:04:05.000Z",
    subject: "Retry uploads",
    body: "",
    why: [],
    issues: [],
    reverts: undefined,
    revertedBy: undefined,
    isFormatting: false,
    path: "",
    hunk: "",
    touched: [],
    ...more,
  };
}

export function whyResult(more: Partial<WhyResult> = {}): WhyResult {
  return {
    namespace: "project",
    generation: 3,
    kind: "words",
    target: undefined,
    commits: [],
    moreCommits: 0,
    partial: [],
    ...more,
  };
}
