import { expect, test } from "vitest";

import { EXPECTED_CHUNK, EXPECTED_RANKING } from "../../../scripts/ranking/expected.ts";
import { CHUNK_FEATURES } from "../../../src/search/features.ts";
import { RANKING_FEATURES } from "../../../src/search/ranking-model.ts";

test.each<[string, Readonly<Record<string, number>>, readonly string[]]>([
  ["that order files", EXPECTED_RANKING, RANKING_FEATURES],
  ["that choose chunks", EXPECTED_CHUNK, CHUNK_FEATURES],
])("something is expected of features %s that there are", (_, expected, names) => {
  expect(Object.keys(expected).filter((name) => !names.includes(name))).toEqual([]);
  expect(Object.values(expected).every((weight) => Number.isFinite(weight) && weight !== 0)).toBe(
    true,
  );
});
