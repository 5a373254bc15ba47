import { expect, test } from "vitest";

import { FilePlaces } from "../../../src/index/embedded/file-places.ts";
import { viewsOf } from "../../../src/index/scoring/scored-segments.ts";
import { segmentOf } from "../../helpers/segments.ts";
import { rankedFile } from "../pagerank/ranked-files.ts";

const SEGMENTS = [0, 1].map((segment) =>
  Array.from({ length: 40 }, (_, at) => `${at % 3}/f${at}-${segment}.go`),
);

function isOld(path: string): boolean {
  return path.endsWith("9-0.go");
}

const views = viewsOf(
  SEGMENTS.map((paths, id) => ({
    id,
    reader: segmentOf(paths.map((path) => rankedFile(path, {}))),
    tombstones: Uint8Array.from(paths, (path) => Number(isOld(path))),
  })),
);

/** The segment and the path at the place of a file. */
function placeIn(places: FilePlaces, path: string): readonly unknown[] | undefined {
  const place = places.find(path);
  return place && [place.view.id, place.view.reader.path(place.ordinal)];
}

test("a live file is found whether few or all files are asked for", () => {
  const all = new FilePlaces(views);
  for (const [id, paths] of SEGMENTS.entries()) {
    for (const path of paths) {
      const expected = isOld(path) ? undefined : [id, path];
      // A new table for each file holds only that lookup.
      expect([path, placeIn(new FilePlaces(views), path)]).toEqual([path, expected]);
      expect([path, placeIn(all, path)]).toEqual([path, expected]);
    }
  }
  for (const path of ["none.go", "", "0/f0-0.gox"]) {
    expect(placeIn(new FilePlaces(views), path)).toBeUndefined();
    expect(placeIn(all, path)).toBeUndefined();
  }
});
