import * as fc from "fast-check";
import { expect, test } from "vitest";

import { collectionStatisticsOf } from "../../../src/index/scoring/collection-statistics.ts";
import { snapshotOf } from "../../helpers/searched-snapshots.ts";
import { documentsOf, lengthOf, someFiles } from "../../helpers/segments.ts";
import { SMALL, vectorsOf } from "../../helpers/vectors.ts";

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

test("deleted files do not count, and the division into segments changes nothing", () => {
  fc.assert(
    fc.property(someFiles(8), fc.nat(255), fc.nat(8), (files, deleted, first) => {
      const dead = files.map((_, at) => (deleted >>> at) & 1);
      const part = (from: number, to: number) => ({
        files: files.slice(from, to),
        dead: dead.slice(from, to),
        embeddings: SMALL,
      });
      const divided = snapshotOf([part(0, first), part(first, files.length)]);
      const left = files.filter((_, at) => dead[at] === 0);
      const fresh = snapshotOf([{ files: left, dead: left.map(() => 0), embeddings: SMALL }]);
      const found = collectionStatisticsOf(divided);
      expect(found).toEqual(collectionStatisticsOf(fresh));
      // The names of these chunks are short, so their lengths are exact.
      expect(found).toEqual({
        files: left.length,
        chunks: sum(left.map(({ chunks }) => chunks.length)),
        lengths: {
          body: sum(documentsOf(left, "body").map(lengthOf)),
          names: sum(documentsOf(left, "names").map(lengthOf)),
        },
        vectorBytes: sum(
          left
            .filter(({ isFinal }) => isFinal)
            .flatMap((file) => vectorsOf(file, SMALL).map(({ length }) => length)),
        ),
      });
    }),
    { numRuns: 80 },
  );
});
