import { expect, test } from "vitest";

import { loadLibrary, OWN_QUESTIONS } from "../../../bench/quality/questions.ts";
import { tasksOf } from "../../../bench/quality/suites.ts";
import { isOnlyForJudging } from "../../../scripts/ranking/judging.ts";

test("seven of the fifteen projects of howto only judge, and nothing of other suites does", () => {
  const tasks = tasksOf(loadLibrary([OWN_QUESTIONS]), {});
  const judging = tasks.filter(({ suite, place }) =>
    isOnlyForJudging({ suite, repository: place.corpus.github }),
  );
  expect(new Set(judging.map(({ suite }) => suite))).toEqual(new Set(["howto"]));
  expect(new Set(judging.map(({ place }) => place.corpus.id)).size).toBe(7);
  expect(judging).toHaveLength(140);
});
