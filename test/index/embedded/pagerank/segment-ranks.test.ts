import { expect, test } from "vitest";

import { computeSegmentRanks } from "../../../../src/index/embedded/pagerank/segment-ranks.ts";
import { carriedRanks, mergedRanks } from "../../../../src/index/embedded/pagerank/carry-ranks.ts";
import { mergeSegments } from "../../../../src/index/embedded/segment/merge.ts";
import type { FileInput } from "../../../../src/index/types.ts";
import { viewsOf } from "../../../../src/index/scoring/scored-segments.ts";
import { rankedFile } from "../../pagerank/ranked-files.ts";
import { readerOf, segmentOf } from "../../../helpers/segments.ts";

function rankedSegments(
  segments: readonly (readonly FileInput[])[],
  isDeleted: (path: string) => boolean = () => false,
) {
  const views = viewsOf(
    segments.map((files, id) => ({
      id,
      reader: segmentOf(files),
      tombstones: Uint8Array.from(files, ({ path }) => Number(isDeleted(path))),
    })),
  );
  return { views, found: computeSegmentRanks(views) };
}

test("files have the same ranks in several segments as in one, and deleted files have none", () => {
  const files = [
    rankedFile("a/log.go", { defines: ["write", "unused"] }),
    rankedFile("b/one.go", { defines: ["one"], uses: ["write"] }),
    rankedFile("c/two.go", { defines: ["two"], uses: ["write", "one"] }),
    rankedFile("d/three.go", { defines: ["three"], uses: ["write", "two"] }),
  ];
  const deleted = rankedFile("x/old.go", { defines: ["old", "older"], uses: ["write"] });
  const [whole] = rankedSegments([files]).found;
  const [log, one, two, three] = [...(whole?.files ?? [])];
  const [write, unused, ofOne, ofTwo, ofThree] = [...(whole?.symbols ?? [])];
  expect(log).toBeGreaterThan(Number(one));
  expect(write).toBeGreaterThan(Number(ofOne));
  const parts = [
    [...files.slice(0, 1), deleted, ...files.slice(1, 2)],
    [deleted, ...files.slice(2)],
  ];
  const { found } = rankedSegments(parts, (path) => path === deleted.path);
  expect(found.map((ranks) => [...ranks.files])).toEqual([
    [log, 0, one],
    [0, two, three],
  ]);
  expect(found.map((ranks) => [...ranks.symbols])).toEqual([
    [write, unused, 0, 0, ofOne],
    [0, 0, ofTwo, ofThree],
  ]);
});

test("merged segments and reindexed files keep their ranks", () => {
  const files = [
    rankedFile("a.go", { defines: ["alpha", "beta"] }),
    rankedFile("b.go", { uses: ["alpha"], defines: ["other"] }),
    rankedFile("c.go", { uses: ["alpha", "other"] }),
  ];
  const { views, found } = rankedSegments([files]);
  const [view] = views;
  const [ranks] = found;
  if (view === undefined || ranks === undefined) throw new Error("one segment");
  const tombstones = Uint8Array.from([0, 1, 0]);
  const input = { reader: view.reader, tombstones, ranks };
  const mergedCodes = mergedRanks([input]);
  const merged = readerOf(mergeSegments([input], ""));
  expect(mergedCodes.files).toEqual(Uint8Array.from([ranks.files[0] ?? 0, ranks.files[2] ?? 0]));
  expect(mergedCodes.symbols).toHaveLength(merged.directory.symbols);
  expect(mergedCodes.symbols[0]).toBe(ranks.symbols[0]);

  const again = segmentOf([rankedFile("a.go", { defines: ["gamma", "alpha"] })]);
  const renewed = { reader: view.reader, ranks, file: 0, now: 0 };
  const carried = carriedRanks(again, [renewed]);
  expect([...carried.files]).toEqual([ranks.files[0]]);
  expect([...carried.symbols]).toEqual([0, ranks.symbols[0]]);
});
