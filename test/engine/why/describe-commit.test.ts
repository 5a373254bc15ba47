import { expect, test } from "vitest";

import { described, revertsAmong } from "../../../src/engine/why/describe-commit.ts";
import type { Commit } from "../../../src/sources/commit-objects.ts";

function commit(id: string, subject: string, body = ""): Commit {
  return { id: id.repeat(40), parents: [], author: "A", authoredAt: "", subject, body };
}

test("a revert is known by the beginning of an id, and also when its commit is not there", () => {
  const first = commit("a", "Retry");
  const second = commit("b", "Undo", `This reverts commit ${"a".repeat(12)}.`);
  const third = commit("c", "Undo more", `This reverts commit ${"d".repeat(40)}.`);
  const reverts = revertsAmong([third, second, first]);
  expect(described(first, reverts)).toMatchObject({ reverts: undefined, revertedBy: second.id });
  expect(described(second, reverts)).toMatchObject({ reverts: first.id, revertedBy: undefined });
  expect(described(third, reverts).reverts).toBe("d".repeat(40));
});

test("the body has no trailers and is cut, and issues come from all of the message", () => {
  const long = commit("a", "Fix (#1)", `${"word ".repeat(2000)}\n\nCloses #2\nSigned-off-by: a`);
  const { body, issues } = described(long, revertsAmong([long]));
  expect(body.length).toBeLessThanOrEqual(4001);
  expect(issues).toEqual(["#1", "#2"]);
});
