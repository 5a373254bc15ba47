import { expect, test } from "vitest";

import {
  packFiles,
  packResults,
  packVector,
  uint32s,
  unpackFiles,
  unpackResults,
  unpackVector,
} from "../../../src/backend/nodes/messages.ts";
import type { CandidateFile } from "../../../src/index/scoring/candidates.ts";
import { chunksWith, sharesOf, sharesFor } from "../../../src/index/scoring/chunk-shares.ts";
import type { NumberedFiles } from "../../../src/index/scoring/numbered-files.ts";

const CHUNK = { startLine: 1, endLine: 9, kind: "function", symbol: "f", context: "" };

const NUMBERED: NumberedFiles = {
  facts: (file) => ({ path: `file${file}`, language: "go", role: "code", flags: 0 }),
  path: (file) => `file${file}`,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only passed on
  chunks: (file) => Array.from({ length: file }, () => CHUNK) as never,
};

test("vectors, files and scores arrive as they were sent, to the last bit", () => {
  const vector = { embedder: "table", components: Int8Array.of(-128, 0, 127) };
  expect(unpackVector(packVector(vector))).toEqual(vector);
  const found = [
    { file: 4_000_000_000, score: 0.1 + 0.2, path: "?" },
    { file: 0, score: Number.MIN_VALUE, path: "?" },
  ];
  const unpacked = unpackFiles(packFiles(found), NUMBERED);
  expect(unpacked.map(({ file, score, path }) => [file, score, path])).toEqual([
    [4_000_000_000, 0.1 + 0.2, "file4000000000"],
    [0, Number.MIN_VALUE, "file0"],
  ]);
});

test("results arrive with the facts that the receiver has", async () => {
  const float = Math.fround(1 / 3);
  const shares = sharesFor(3);
  shares.body.fill(float);
  shares.names.set([0, 1, 0]);
  shares.similarity.fill(0.5);
  shares.bodyTerms.fill(2 ** 31 + 1);
  shares.namesTerms.set([0, 1, 0]);
  const results = [
    { count: 2, firstShare: 0 },
    { count: 0, firstShare: 2 },
    { count: 1, firstShare: 2 },
  ].map(({ count, firstShare }): CandidateFile => ({
    file: NUMBERED.facts(count),
    score: count / 7,
    fileScore: count / 9,
    maxSimilarity: float,
    pathTerms: 2 ** 31 + count,
    chunkCount: count,
    scores: () => sharesOf(shares, firstShare, count),
    chunks: async () => chunksWith(NUMBERED.chunks(count), shares, firstShare),
  }));
  const found = results.map(({ score, chunkCount: file }) => ({ file, score, path: "?" }));
  const arrived = unpackResults(packResults(results), found, NUMBERED);
  expect(await shown(arrived)).toEqual(await shown(results));
});

function shown(all: readonly CandidateFile[]): Promise<unknown> {
  return Promise.all(
    all.map(async ({ chunks, scores, ...rest }) => ({
      ...rest,
      scores: scores(),
      chunks: await chunks(),
    })),
  );
}

test("half a number is refused", () => {
  expect(() => uint32s(Buffer.from([1, 2, 3]).toString("base64"))).toThrow(RangeError);
});
