import { expect, test } from "vitest";

import { loadLibrary, OWN_QUESTIONS } from "../../../bench/quality/questions.ts";
import { tasksOf } from "../../../bench/quality/suites.ts";
import { isOnlyForJudging } from "../../../scripts/ranking/judging.ts";

test("seven of the fifteen projects of howto and six of the eleven of settings only judge, and nothing of other suites does", () => {
  const tasks = tasksOf(loadLibrary([OWN_QUESTIONS]), {});
  const judging = tasks.filter(({ suite, place }) =>
    isOnlyForJudging({ suite, repository: place.corpus.github }),
  );
  const bySuite = Map.groupBy(judging, ({ suite }) => suite);
  const sizes = Array.from(bySuite, ([suite, some]) => [
    suite,
    new Set(some.map(({ place }) => place.corpus.id)).size,
    some.length,
  ]);
  expect(sizes).toEqual([
    ["howto", 7, 140],
    ["settings", 6, 38],
  ]);
});
