import { expect, test } from "vitest";

import {
  computeSegmentRanks,
  pageRanksByPath,
} from "../../../../src/index/embedded/pagerank/segment-ranks.ts";
import { carriedRanks, mergedRanks } from "../../../../src/index/embedded/pagerank/carry-ranks.ts";
import { FilePlaces } from "../../../../src/index/embedded/file-places.ts";
import { mergeSegments } from "../../../../src/index/embedded/segment/merge.ts";
import type { PageRanks } from "../../../../src/index/port.ts";
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

function isOld(path: string): boolean {
  return path.endsWith("9-0.go");
}

/** The rank of a file, and those of its first two symbols. */
function ranksOfOne(ranks: PageRanks, path: string): readonly number[] {
  return [ranks.fileRank(path), ranks.symbolRank(path, 0), ranks.symbolRank(path, 1)];
}

test("a file has the same ranks whether few or all files are asked for", () => {
  const segments = [0, 1].map((segment) =>
    Array.from({ length: 40 }, (_, at) =>
      rankedFile(`${at % 3}/f${at}-${segment}.go`, {
        defines: [`first${at}`, `second${at}`],
        uses: [`first${(at * 7) % 5}`],
      }),
    ),
  );
  const { views, found } = rankedSegments(segments, isOld);
  const ranksOf = (): PageRanks => pageRanksByPath(views, new FilePlaces(views), (id) => found[id]);
  const paths = [...segments.flat().map(({ path }) => path), "none.go"];
  const all = ranksOf();
  const each = paths.map((path) => ranksOfOne(all, path));
  // A new table for each file holds only that lookup.
  expect(paths.map((path) => ranksOfOne(ranksOf(), path))).toEqual(each);
  expect(each.flat().some((rank) => rank > 0)).toBe(true);
  expect(new Set(paths.filter(isOld).flatMap((path) => ranksOfOne(all, path)))).toEqual(
    new Set([0]),
  );
  expect(ranksOfOne(all, "none.go")).toEqual([0, 0, 0]);
});
