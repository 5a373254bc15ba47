import { expect, test } from "vitest";

import { fittingCommits, whyLine, whyTexts } from "../../../src/tools/monitoring/why-text.ts";
import { whyCommit, whyResult } from "./why-samples.ts";

const TARGET = {
  path: "a.ts",
  startLine: 2,
  endLine: 2,
  symbol: "open",
  uncommitted: [],
  others: [],
};

test("a commit has its facts, message and hunk", () => {
  const commit = whyCommit({
    why: ["wrote line 2"],
    issues: ["#1", "#2"],
    revertedBy: "f".repeat(40),
    body: "They failed.\n\nOften.",
    path: "a.ts",
    hunk: "@@ -1,1 +1,1 @@\n-a\n+b",
    touched: [{ path: "a.ts", symbol: "open" }],
  });
  const [head, text] = whyTexts(whyResult({ target: TARGET, commits: [commit], moreCommits: 2 }));
  expect(head).toBe("a.ts:2  open\n2 more commits changed it.");
  expect(text).toBe(
    [
      "0123456789  2026-01-02  Ada  Retry uploads",
      "  wrote line 2; reverted by ffffffffff; #1, #2",
      "  They failed.",
      "  ",
      "  Often.",
      "  touched open (a.ts)",
      "  a.ts",
      "  @@ -1,1 +1,1 @@",
      "  -a",
      "  +b",
    ].join("\n"),
  );
});

test("uncommitted lines, other definitions and what is missing are said first", () => {
  const others = [{ path: "b.ts", startLine: 9, qualifiedName: "open" }];
  const some = { ...TARGET, endLine: 9, uncommitted: [2, 3], others };
  expect(whyTexts(whyResult({ target: some, partial: ["git had no time."] }))).toEqual([
    [
      "a.ts:2-9  open",
      "Not committed yet: lines 2, 3",
      "Other definitions of the name: b.ts:9",
      "No commit explains it.",
      "git had no time.",
    ].join("\n"),
  ]);
  const all = { ...TARGET, symbol: "", uncommitted: [2] };
  expect(whyTexts(whyResult({ target: all }))[0]).toContain("a.ts:2\nNot committed yet.");
});

test("long messages and the hunks of later commits are cut", () => {
  const hunk = Array.from({ length: 30 }, (_, at) => `+line ${at}`).join("\n");
  const body = Array.from({ length: 30 }, (_, at) => `reason ${at}`).join("\n");
  const commits = Array.from({ length: 5 }, () => whyCommit({ hunk, body, path: "a.ts" }));
  const [first = "", ...others] = whyTexts(whyResult({ commits }));
  expect(first).toContain("+line 29");
  expect(first).toContain("reason 11\n  …");
  expect(others.at(-1)).toContain("+line 7\n  …");
  expect(others.at(-1)).not.toContain("+line 8");
});

test("a commit on one line has its facts in parentheses", () => {
  const merged = { request: "#12", commit: "f".repeat(40) };
  expect(whyLine(whyCommit({ why: ["wrote line 2"], merged, body: "More." }))).toBe(
    "0123456789  2026-01-02  Ada  Retry uploads  (wrote line 2; merged in #12 by ffffffffff)",
  );
  expect(whyLine(whyCommit())).toBe("0123456789  2026-01-02  Ada  Retry uploads");
});

test("commits that do not fit are counted among those that are not shown", () => {
  const commits = Array.from({ length: 4 }, () => whyCommit({ body: "word ".repeat(60) }));
  const result = whyResult({ target: TARGET, commits, moreCommits: 2 });
  const shown = fittingCommits(result, 200);
  expect([shown.commits.length, shown.moreCommits]).toEqual([2, 4]);
  expect(whyTexts(shown).join("\n").length).toBeLessThanOrEqual(800);
  expect(whyTexts(shown)[0]).toBe("a.ts:2  open\n4 more commits changed it.");
  expect(fittingCommits(result, 2000)).toBe(result);
  expect(fittingCommits(result, 1).commits).toHaveLength(1);
});
