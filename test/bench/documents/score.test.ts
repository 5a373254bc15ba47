import { expect, test } from "vitest";

import {
  figuresByGroup,
  figuresOf,
  type AnsweredQuestion,
} from "../../../bench/documents/score.ts";

test("figures are shares of all questions", () => {
  const figures = figuresOf([{ rank: 1 }, { rank: 3 }, { rank: 4 }, { rank: undefined }]);
  expect(figures).toMatchObject({ questions: 4, first: 0.25, amongThree: 0.5 });
  expect(figures.reciprocalRank).toBeCloseTo((1 + 1 / 3 + 1 / 4) / 4);
});

function answer(more: Partial<AnsweredQuestion>): AnsweredQuestion {
  return {
    group: "pdf",
    set: "develop",
    document: "",
    question: "",
    rank: undefined,
    places: [],
    ...more,
  };
}

test("groups and sets are summed on their own", () => {
  const figures = figuresByGroup([
    answer({ rank: 1 }),
    answer({ set: "judge" }),
    answer({ group: "epub", rank: 2, set: "judge" }),
    answer({ group: "epub", set: "further" }),
  ]);
  expect(Object.keys(figures)).toEqual(
    ["pdf", "epub", "develop", "judge", "all"].concat("further epub", "further"),
  );
  expect(figures["all"]).toMatchObject({ questions: 3 });
  expect(figures["pdf"]).toMatchObject({ questions: 2, first: 0.5 });
  expect(figures["judge"]).toMatchObject({ questions: 2, amongThree: 0.5 });
});
