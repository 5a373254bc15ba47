import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Answer } from "../../../bench/quality/reply.ts";
import { keptAnswers } from "../../../bench/quality/kept-answers.ts";

const ANSWER: Answer = { mentions: [], characters: 12, notes: "", ms: 3 };

function place(): { folder: string; one: string; other: string } {
  const folder = mkdtempSync(join(tmpdir(), "svc-kept-answers-"));
  const [one, other] = [join(folder, "one"), join(folder, "other")];
  writeFileSync(one, "an executable");
  writeFileSync(other, "another");
  return { folder: join(folder, "answers"), one, other };
}

test("a run goes on with the places that an earlier one has finished", () => {
  const { folder, one } = place();
  keptAnswers(folder, one, false).keep("gin:src", new Map([["how", ANSWER]]));
  const { read } = keptAnswers(folder, one, true);
  expect(read("gin:src", new Set(["how"]))).toEqual(new Map([["how", ANSWER]]));
  expect(read("gin:src", new Set(["how", "where"]))).toBeUndefined();
  expect(read("flask", new Set(["how"]))).toBeUndefined();
});

test("a new run, and one of another executable, ask again", () => {
  const { folder, one, other } = place();
  const answers = new Map([["how", ANSWER]]);
  keptAnswers(folder, one, false).keep("gin", answers);
  expect(keptAnswers(folder, other, true).read("gin", new Set(["how"]))).toBeUndefined();
  keptAnswers(folder, one, false).keep("gin", answers);
  expect(keptAnswers(folder, one, false).read("gin", new Set(["how"]))).toBeUndefined();
});

test("a place with a question that failed is asked again", () => {
  const { folder, one } = place();
  const kept = keptAnswers(folder, one, true);
  kept.keep("gin", new Map([["how", { ...ANSWER, error: "no reply within 30 s" }]]));
  expect(kept.read("gin", new Set(["how"]))).toBeUndefined();
});
