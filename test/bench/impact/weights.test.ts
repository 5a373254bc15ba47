import { expect, test } from "vitest";

import { fitWeights } from "../../../bench/impact/weights.ts";

function file(isWanted: boolean, ...evidence: readonly number[]) {
  return { isWanted, evidence };
}

test("what tells wanted files apart counts most, and what speaks against them nothing", () => {
  const questions = [
    { files: [file(true, 1, 0, 0.5), file(false, 0, 1, 0.5), file(false, 0, 1, 0.5)] },
    { files: [file(true, 0.8, 0, 0.2), file(false, 0.1, 1, 0.2), file(false, 0, 0, 0.2)] },
    { files: [file(false, 0, 0, 1)] },
  ];
  const [telling = 0, against = 1, same = 1] = fitWeights(questions, 3);
  expect(telling).toBeGreaterThan(2);
  expect(against).toBe(0);
  expect(same).toBeLessThan(0.01);
});
