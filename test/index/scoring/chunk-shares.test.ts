import { expect, test } from "vitest";

import { chunksWith, sharesFor } from "../../../src/index/scoring/chunk-shares.ts";
import type { ChunkFacts } from "../../../src/index/types.ts";

test("the chunks of a file get the scores from a position on", () => {
  const shares = sharesFor(3);
  shares.body.set([0.25, 0.5, 1]);
  shares.names.set([0, 1, 0.5]);
  shares.similarity.set([1, 0.75, 0]);
  shares.bodyTerms.set([1, 2, 2 ** 31]);
  shares.namesTerms.set([4, 8, 16]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed on as they are
  const facts = [{ startLine: 1 }, { startLine: 9 }] as unknown as readonly ChunkFacts[];
  expect(chunksWith(facts, shares, 1)).toEqual([
    { facts: facts[0], body: 0.5, names: 1, similarity: 0.75, bodyTerms: 2, namesTerms: 8 },
    { facts: facts[1], body: 1, names: 0.5, similarity: 0, bodyTerms: 2 ** 31, namesTerms: 16 },
  ]);
});
