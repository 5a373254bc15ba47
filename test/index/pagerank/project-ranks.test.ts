import { expect, test } from "vitest";

import { computeRanks, type RankCodes } from "../../../src/index/pagerank/project-ranks.ts";
import { timesMean } from "../../../src/index/pagerank/rank-code.ts";
import type { FileInput } from "../../../src/index/types.ts";
import { rankedFile } from "./ranked-files.ts";

function ranksOf(...files: readonly FileInput[]): RankCodes {
  return computeRanks(
    files.map((file) => ({
      facts: file,
      symbolCount: file.symbols.length,
      symbols: () => file.symbols,
      namesUsed: () => ({
        names: new Set(file.references.uses.map(({ name }) => name)),
        modules: file.references.imports.map(({ module }) => module),
      }),
      imports: () => file.references.imports,
    })),
  );
}

test("files and symbols that others use rank higher than unused ones", () => {
  const { files, symbols } = ranksOf(
    rankedFile("a/log.go", { defines: ["write", "unused"] }),
    rankedFile("b/one.go", { defines: ["one"], uses: ["write"] }),
    rankedFile("c/two.go", { defines: ["two"], uses: ["write", "one"] }),
    rankedFile("d/three.go", { uses: ["write"] }),
  );
  const [log = 0, one = 0, two = 0, three = 0] = files;
  expect(log).toBeGreaterThan(one);
  expect(one).toBeGreaterThan(two);
  expect(two).toBe(three);
  const [write = 0, unused = 0, ofOne = 0, ofTwo = 0] = symbols;
  expect(write).toBeGreaterThan(ofOne);
  expect(ofOne).toBeGreaterThan(0);
  expect([unused, ofTwo]).toEqual([0, 0]);
});

test("a type is not depended on less because methods elsewhere are called like it", () => {
  const { symbols: functions } = rankedFile("engine.go", { defines: ["Engine"] });
  const methods = functions.map((one) => ({ ...one, qualifiedName: "Validator.Engine" }));
  const { symbols } = ranksOf(
    rankedFile("gin/engine.go", { defines: ["Engine"] }),
    rankedFile("gin/binding/one.go", {}, { symbols: methods }),
    rankedFile("gin/binding/two.go", {}, { symbols: methods }),
    rankedFile("gin/user.go", { uses: ["Engine"], imports: ["example.com/gin/binding"] }),
  );
  const [engine = 0, one = 0] = symbols;
  expect(timesMean(engine)).toBeGreaterThan(timesMean(one) * 10);
});

test("of several definitions of a name, the imported one ranks higher", () => {
  const { symbols } = ranksOf(
    rankedFile("x/store.go", { defines: ["open"] }),
    rankedFile("y/disk.go", { defines: ["open"] }),
    rankedFile("z/main.go", { uses: ["open"], imports: ["example.com/app/disk"] }),
  );
  const [store = 0, disk = 0] = symbols;
  expect(disk).toBeGreaterThan(store);
});

test("uses by tests count less; uses by the same file or another language count nothing", () => {
  const { symbols } = ranksOf(
    rankedFile("a.go", { defines: ["alpha"], uses: ["alpha"] }),
    rankedFile("b.go", { defines: ["beta"] }),
    rankedFile("c.go", { defines: ["gamma"] }),
    rankedFile("c_test.go", { uses: ["gamma"] }, { role: "tests" }),
    rankedFile("b_user.go", { uses: ["beta"] }),
    rankedFile("a.py", { uses: ["alpha"] }, { language: "python" }),
  );
  const [alpha = 0, beta = 0, gamma = 0] = symbols;
  expect(alpha).toBe(0);
  expect(beta).toBeGreaterThan(gamma);
  expect(gamma).toBeGreaterThan(0);
});

test("a name that more than ten files define gives no edge", () => {
  const definers = Array.from({ length: 11 }, (_, at) =>
    rankedFile(`f${at}.go`, { defines: ["open"] }),
  );
  const user = rankedFile("user.go", { uses: ["open"] });
  expect(ranksOf(...definers.slice(1), user).symbols.every((code) => code > 0)).toBe(true);
  expect(ranksOf(...definers, user).symbols.every((code) => code === 0)).toBe(true);
});

test("a project without files has no ranks", () => {
  expect(ranksOf()).toEqual({ files: new Uint8Array(), symbols: new Uint8Array() });
});

test("in C, uses count for the tree of headers that they include, and static functions of headers count", () => {
  const language = { language: "c" } as const;
  const slab = { defines: ["kmalloc"] };
  const users = Array.from({ length: 12 }, (_, at) =>
    rankedFile(`fs/${at}.c`, { uses: ["kmalloc"], imports: ["linux/slab.h"] }, language),
  );
  // So many files define the name that its uses elsewhere are ambiguous.
  const others = Array.from({ length: 12 }, (_, at) =>
    rankedFile(`tools/${at}/include/linux/slab.h`, slab, language),
  );
  const { symbols } = ranksOf(
    rankedFile("include/linux/slab.h", slab, language),
    ...others,
    ...users,
  );
  const [wanted = 0, ...rest] = symbols;
  expect(wanted).toBeGreaterThan(0);
  expect(rest.filter((rank) => rank > 0)).toEqual([]);
});
