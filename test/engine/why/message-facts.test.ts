import { expect, test } from "vitest";

import {
  issuesIn,
  mergedRequestIn,
  revertedIn,
  shownBody,
} from "../../../src/engine/why/message-facts.ts";

test.each([
  ["Fix upload (#12)", ["#12"]],
  ["Fixes GH-7, closes owner/repo#34", ["GH-7", "owner/repo#34"]],
  ["ABC-123: retry, see DEV2-9", ["ABC-123", "DEV2-9"]],
  [
    "see https://github.com/a/b/pull/56 and https://gitlab.com/a/b/-/merge_requests/7",
    ["#56", "#7"],
  ],
  ["#12 and again #12", ["#12"]],
  ["decode UTF-8 with SHA-256 by RFC-2616, ISO-8859-1, CVE-2021-1234", []],
  ["color #123456789, entity &#39; and a#1", []],
  ["", []],
])("issues in %j", (message, issues) => {
  expect(issuesIn(message)).toEqual(issues);
});

test("at most ten issues are named", () => {
  expect(issuesIn(Array.from({ length: 30 }, (_, at) => `#${at + 1}`).join(" "))).toHaveLength(10);
});

test("the commits that a message reverts", () => {
  const id = "0123456789abcdef0123456789abcdef01234567";
  expect(revertedIn(`This reverts commit ${id}.`)).toEqual([id]);
  expect(revertedIn("Reverts 0123ABC and reverts commit 4567def")).toEqual(["0123abc", "4567def"]);
  expect(revertedIn("revert the change of yesterday")).toEqual([]);
});

test("trailers at the end of a body are left out, and others stay", () => {
  const body =
    "Why it is so.\n\nReviewed-by: nobody knows\nstill text\n\nSigned-off-by: a\nCo-authored-by: b\n";
  expect(shownBody(body, 1000)).toBe("Why it is so.\n\nReviewed-by: nobody knows\nstill text");
  expect(shownBody("Signed-off-by: a", 1000)).toBe("");
});

test("what a squashed pull request repeats is left out", () => {
  const body = [
    "* Fix the leak of streams",
    "",
    "Signed-off-by: a",
    "",
    "* fixup! Fix the leak of streams",
    "",
    "* close both ends",
    "",
    "* close both ends",
    "",
    "* ok",
    "* ok",
    "",
    "---------",
    "",
    "Co-authored-by: b",
  ].join("\n");
  expect(shownBody(body, 1000, "Fix the leak of streams (#12)")).toBe(
    "* close both ends\n\n* ok\n* ok",
  );
});

test("a long body is cut at a word", () => {
  const cut = shownBody("word ".repeat(100), 52);
  expect(cut).toBe(`${"word ".repeat(10).trimEnd()}…`);
  expect(shownBody("x".repeat(100), 50)).toBe(`${"x".repeat(50)}…`);
});

test.each([
  ["Merge pull request #123 from user/branch\n\nRetry uploads", "#123"],
  ["Merged in feature/retry (pull request #45)\n\nRetry", "#45"],
  ["Merge branch 'retry' into 'main'\n\nRetry\n\nSee merge request group/project!67", "!67"],
  ["Merge branch 'main' of example.org/project", undefined],
  ["Revert what pull request #12 did", undefined],
])("the pull request of the merge %j", (message, request) => {
  expect(mergedRequestIn(message)).toBe(request);
});
