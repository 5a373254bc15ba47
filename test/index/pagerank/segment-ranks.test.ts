import { expect, test } from "vitest";

import {
  rankCode,
  computeSegmentRanks,
  timesMean,
} from "../../../src/index/pagerank/segment-ranks.ts";
import { carriedRanks, mergedRanks } from "../../../src/index/pagerank/carry-ranks.ts";
import { mergeSegments } from "../../../src/index/segment/merge.ts";
import { pageRank } from "../../../src/index/pagerank/pagerank.ts";
import type { FileInput } from "../../../src/index/segment/segment-writer.ts";
import { viewsOf } from "../../../src/index/embedded/snapshot.ts";
import { readerOf, segmentOf, textFile } from "../../helpers/segments.ts";

/** A file that defines and uses names. */
function file(
  path: string,
  { defines = [], uses = [], imports = [] }: Record<string, readonly string[]>,
  more: Partial<FileInput> = {},
): FileInput {
  const symbols = defines.map((name, at) => ({
    name,
    qualifiedName: name,
    kind: "function" as const,
    access: "exported" as const,
    startLine: at + 1,
    endLine: at + 1,
    nameLine: at + 1,
  }));
  const references = {
    uses: uses.map((name, at) => ({
      name,
      line: at + 1,
      role: "call" as const,
      owner: -1,
      target: -1,
      receiver: "",
      binding: -1,
    })),
    imports: imports.map((module) => ({
      line: 1,
      module,
      bindings: [],
      isWildcard: false,
      isReexport: false,
    })),
    types: [],
    package: "",
  };
  return textFile(path, ["text"], { language: "go", role: "code", symbols, references, ...more });
}

function rankedSegments(...segments: readonly (readonly FileInput[])[]) {
  const views = viewsOf(
    segments.map((files, id) => ({
      id,
      reader: segmentOf(files),
      tombstones: new Uint8Array(files.length),
    })),
  );
  return { views, found: computeSegmentRanks(views) };
}

test("ranks add up to one, and the node at the end of the dependencies has the highest", () => {
  // 0 -> 1 -> 2, 3 -> 2
  const graph = {
    starts: Uint32Array.from([0, 1, 2, 2, 3]),
    targets: Uint32Array.from([1, 2, 2]),
    weights: Float32Array.from([1, 0.2, 5]),
  };
  const ranks = [...pageRank(graph, new Float64Array(4).fill(0.25))];
  expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 9);
  const [first = 0, second = 0, third = 0, fourth = 0] = ranks;
  expect(third).toBeGreaterThan(second);
  expect(second).toBeGreaterThan(first);
  expect(first).toBeCloseTo(fourth, 9);
});

test("files and symbols that others use rank higher than unused ones", () => {
  const { found } = rankedSegments(
    [
      file("a/log.go", { defines: ["write", "unused"] }),
      file("b/one.go", { defines: ["one"], uses: ["write"] }),
    ],
    [
      file("c/two.go", { defines: ["two"], uses: ["write", "one"] }),
      file("d/three.go", { uses: ["write"] }),
    ],
  );
  const [first, second] = found;
  const [log = 0, one = 0] = first?.files ?? [];
  const [two = 0, three = 0] = second?.files ?? [];
  expect(log).toBeGreaterThan(one);
  expect(one).toBeGreaterThan(two);
  expect(two).toBe(three);
  const [write = 0, unused = 0, ofOne = 0] = first?.symbols ?? [];
  expect(write).toBeGreaterThan(ofOne);
  expect(ofOne).toBeGreaterThan(0);
  expect(unused).toBe(0);
});

test("a type is not depended on less because methods elsewhere are called like it", () => {
  const method = (path: string): FileInput => {
    const made = file(path, { defines: ["Engine"] });
    const symbols = made.symbols.map((one) => ({ ...one, qualifiedName: "Validator.Engine" }));
    return { ...made, symbols };
  };
  const files = [
    file("gin/engine.go", { defines: ["Engine"] }),
    method("gin/binding/one.go"),
    method("gin/binding/two.go"),
    file("gin/user.go", { uses: ["Engine"], imports: ["example.com/gin/binding"] }),
  ];
  const [engine = 0, one = 0] = rankedSegments(files).found[0]?.symbols ?? [];
  expect(timesMean(engine)).toBeGreaterThan(timesMean(one) * 10);
});

test("of several definitions of a name, the imported one ranks higher", () => {
  const { found } = rankedSegments([
    file("x/store.go", { defines: ["open"] }),
    file("y/disk.go", { defines: ["open"] }),
    file("z/main.go", { uses: ["open"], imports: ["example.com/app/disk"] }),
  ]);
  const [store = 0, disk = 0] = found[0]?.symbols ?? [];
  expect(disk).toBeGreaterThan(store);
});

test("uses by tests count less; uses by the same file or another language count nothing", () => {
  const { found } = rankedSegments([
    file("a.go", { defines: ["alpha"], uses: ["alpha"] }),
    file("b.go", { defines: ["beta"] }),
    file("c.go", { defines: ["gamma"] }),
    file("c_test.go", { uses: ["gamma"] }, { role: "tests" }),
    file("b_user.go", { uses: ["beta"] }),
    file("a.py", { uses: ["alpha"] }, { language: "python" }),
  ]);
  const [alpha = 0, beta = 0, gamma = 0] = found[0]?.symbols ?? [];
  expect(alpha).toBe(0);
  expect(beta).toBeGreaterThan(gamma);
  expect(gamma).toBeGreaterThan(0);
});

test("codes encode multiples of the mean", () => {
  expect(rankCode(0, 10)).toBe(0);
  expect(rankCode(0.1, 10)).toBe(128);
  expect(timesMean(rankCode(0.4, 10))).toBeCloseTo(4, 5);
  expect(rankCode(1, 1e9)).toBe(255);
  expect(rankCode(1e-12, 10)).toBe(1);
});

test("merged segments and reindexed files keep their ranks", () => {
  const files = [
    file("a.go", { defines: ["alpha", "beta"] }),
    file("b.go", { uses: ["alpha"], defines: ["other"] }),
    file("c.go", { uses: ["alpha", "other"] }),
  ];
  const { views, found } = rankedSegments(files);
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

  const again = segmentOf([file("a.go", { defines: ["gamma", "alpha"] })]);
  const renewed = { reader: view.reader, ranks, file: 0, now: 0 };
  const carried = carriedRanks(again, [renewed]);
  expect([...carried.files]).toEqual([ranks.files[0]]);
  expect([...carried.symbols]).toEqual([0, ranks.symbols[0]]);
});
