import { expect, test } from "vitest";

import { corpusStatsOf, joinCorpusStats } from "../../src/index/corpus-stats.ts";
import { snapshotOf } from "../helpers/searched-snapshots.ts";
import { textFile } from "../helpers/segments.ts";

const FILES = [
  textFile("a.ts", ["one"], { language: "typescript", role: "code" }),
  textFile("b.md", ["two"], { language: "markdown", role: "docs" }),
  textFile("c.md", ["three"], { language: "markdown", role: "docs" }),
  textFile("d.py", ["four"], { language: "python", role: "tests" }),
];

test("the shares are those of the files that are not deleted", () => {
  const whole = corpusStatsOf(snapshotOf([{ files: FILES, dead: [0, 0, 0, 0] }]));
  expect(whole).toMatchObject({ files: 4, code: 0.5 });
  const updated = corpusStatsOf(
    snapshotOf([
      { files: FILES.slice(0, 2), dead: [0, 1] },
      { files: FILES.slice(2), dead: [0, 1] },
    ]),
  );
  // A language without files does not belong to the index.
  expect(updated).toEqual({
    files: 2,
    code: 0.5,
    languages: new Map([
      ["typescript", 0.5],
      ["markdown", 0.5],
    ]),
  });
});

test("shares of parts become those of all", () => {
  const parts = [FILES.slice(0, 3), FILES.slice(3)].map((files) =>
    corpusStatsOf(snapshotOf([{ files, dead: files.map(() => 0) }])),
  );
  const { languages, ...rest } = joinCorpusStats(parts);
  expect(rest).toEqual({ files: 4, code: 0.5 });
  expect(languages.get("markdown")).toBe(0.5);
});
