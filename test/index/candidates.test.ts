import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  codeShare,
  LexicalScorer,
  type LexicalHit,
  type LexicalQuery,
} from "../../src/index/lexical.ts";
import type { FileInput } from "../../src/index/segment-writer.ts";
import { Snapshot, type SegmentView } from "../../src/index/snapshot.ts";
import { BLEND, BODY, FILE, FILE_TERMS, NAMES } from "../../src/search/weights.ts";
import { naive, type Hit, type Part } from "../helpers/naive-lexical.ts";
import { segmentOf, textFile } from "../helpers/segments.ts";

const WEIGHTS = { body: BODY, names: NAMES, file: FILE, fileTerms: FILE_TERMS, blend: BLEND };

function snapshotOf(parts: readonly Part[]): Snapshot {
  const views: SegmentView[] = [];
  let chunkBase = 0;
  let fileBase = 0;
  for (const [id, { files, dead }] of parts.entries()) {
    const reader = segmentOf(files);
    views.push({ id, reader, dead: Uint8Array.from(dead), chunkBase, fileBase });
    chunkBase += reader.chunks;
    fileBase += reader.files;
  }
  return new Snapshot(1, views);
}

async function shown(hits: readonly LexicalHit[]): Promise<readonly Hit[]> {
  return Promise.all(
    hits.map(async ({ file, score, best, chunks }) => ({
      path: file.path,
      score,
      best,
      chunks: (await chunks()).map(
        ({ facts, body, names }) => [facts.startLine, body, names] as const,
      ),
    })),
  );
}

async function call(
  parts: readonly Part[],
  terms: LexicalQuery["terms"],
  more: Partial<LexicalQuery> = {},
): Promise<readonly Hit[]> {
  const scorer = new LexicalScorer(snapshotOf(parts));
  const query = { terms, weights: WEIGHTS, limit: 1000, ...more };
  const { hits, isComplete } = scorer.search(query, () => false);
  expect(isComplete).toBe(true);
  return shown(hits);
}

const WORDS = ["alpha", "beta", "gamma", "delta", "omega"] as const;
const word = fc.constantFrom(...WORDS);
const chunk = fc.record({
  lines: fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
  names: fc.array(word, { maxLength: 3 }),
});
const part: fc.Arbitrary<Part> = fc
  .array(
    fc.record({
      chunks: fc.array(chunk, { maxLength: 4 }),
      name: word,
      dead: fc.constantFrom(0, 0, 0, 1),
      // Alike ones, so that scores are equal.
      copies: fc.constantFrom(1, 1, 1, 3),
    }),
    { maxLength: 6 },
  )
  .map((all) => {
    const files: FileInput[] = [];
    const dead: number[] = [];
    for (const { chunks, name, dead: isDead, copies } of all) {
      for (let copy = 0; copy < copies; copy += 1) {
        files.push(fileOf(`src${files.length}/${name}.ts`, chunks));
        dead.push(isDead);
      }
    }
    return { files, dead };
  });
const parts = fc.array(part, { minLength: 1, maxLength: 4 }).map((all) =>
  // Different paths: the segments of one index have no file twice.
  all.map(({ files, dead }, at) => ({
    files: files.map((file) => ({ ...file, path: `part${at}/${file.path}` })),
    dead,
  })),
);
const terms = fc
  .uniqueArray(fc.constantFrom(...WORDS, "absent"), { minLength: 1 })
  .chain((chosen) =>
    fc
      .array(fc.constantFrom(1, 0.6, 0.25), { minLength: chosen.length, maxLength: chosen.length })
      .map((weights) => new Map(chosen.map((term, at) => [term, weights[at] ?? 1]))),
  );

interface MadeChunk {
  readonly lines: readonly (readonly string[])[];
  readonly names: readonly string[];
}

function fileOf(path: string, chunks: readonly MadeChunk[]): FileInput {
  const lines: string[] = [];
  const facts = chunks.map(({ lines: own, names }) => {
    const startLine = lines.length + 1;
    lines.push(...own.map((words) => words.join(" ")));
    return { startLine, endLine: lines.length, symbol: "", names, kind: "text" as const };
  });
  return textFile(path, lines, { role: "code", chunks: facts });
}

test("files and chunks have the scores of the formulas, and the dead are not among them", async () => {
  await fc.assert(
    fc.asyncProperty(parts, terms, async (all, wanted) => {
      const hits = await call(all, wanted);
      const expected = new Map(naive(all, wanted).map((hit) => [hit.path, hit]));
      expect(hits.map(({ path }) => path).toSorted()).toEqual([...expected.keys()].toSorted());
      let previous = Infinity;
      for (const { path, score, best, chunks } of hits) {
        const known = expected.get(path);
        expect(score).toBeCloseTo(known?.score ?? -1, 4);
        expect(best).toBeCloseTo(known?.best ?? -1, 4);
        expect(chunks.map(([line]) => line)).toEqual(known?.chunks.map(([line]) => line));
        for (const [at, [, body, names]] of chunks.entries()) {
          expect(body).toBeCloseTo(known?.chunks[at]?.[1] ?? -1, 4);
          expect(names).toBeCloseTo(known?.chunks[at]?.[2] ?? -1, 4);
        }
        expect(score + best).toBeLessThanOrEqual(previous);
        previous = score + best + 1e-9;
      }
    }),
    { numRuns: 200 },
  );
});

test("a limit gives the beginning of the whole list, a filter what is left of it", async () => {
  const filters = fc.constantFrom<LexicalQuery["filter"]>(
    undefined,
    ({ path }) => path.includes("alpha"),
    ({ path }) => !path.startsWith("part0/"),
    () => false,
  );
  await fc.assert(
    fc.asyncProperty(parts, terms, fc.nat(8), filters, async (all, wanted, limit, filter) => {
      const whole = await call(all, wanted);
      const left = whole.filter(({ path }) =>
        filter === undefined ? true : filter({ path, language: "", role: "code", flags: 0 }),
      );
      expect(await call(all, wanted, { limit, filter })).toEqual(left.slice(0, limit));
    }),
    { numRuns: 300 },
  );
});

function alike(text: string, count: number): FileInput[] {
  return Array.from({ length: count }, (_, at) => textFile(`${text.length}/f${at}.txt`, [text]));
}

test("of files with equal scores those that come first are taken, however many are asked for", async () => {
  const files = [
    ...alike("alpha beta gamma delta omega", 3),
    ...alike("alpha beta", 2),
    ...alike("alpha beta gamma", 4),
    ...alike("alpha", 5),
  ];
  const all = [{ files, dead: files.map(() => 0) }];
  const whole = await call(all, new Map([["alpha", 1]]));
  for (let limit = 0; limit <= whole.length; limit += 1) {
    expect(await call(all, new Map([["alpha", 1]]), { limit })).toEqual(whole.slice(0, limit));
  }
});

test("a term that every chunk holds still counts for those that hold it oftenest", async () => {
  const files = [textFile("one.txt", ["alpha beta"]), textFile("two.txt", ["alpha alpha"])];
  const hits = await call([{ files, dead: [0, 0] }], new Map([["alpha", 1]]));
  expect(hits.map(({ path }) => path)).toEqual(["two.txt", "one.txt"]);
  for (const { score, best } of hits) expect(Math.min(score, best)).toBeGreaterThan(0);
});

test("a file that only its path speaks for is shown by its first chunk", async () => {
  const files = [
    textFile("alpha.txt", ["beta"], {
      chunks: [1, 2].map((startLine) => {
        return { startLine, endLine: startLine, symbol: "", names: [], kind: "text" };
      }),
      bytes: Buffer.from("beta\ngamma"),
    }),
    textFile("empty/alpha.txt", [], { chunks: [] }),
  ];
  const hits = await call([{ files, dead: [0, 0] }], new Map([["alpha", 1]]));
  const chunks = new Map(hits.map((hit) => [hit.path, hit.chunks]));
  expect(chunks).toEqual(
    new Map([
      ["alpha.txt", [[1, 0, 0]]],
      ["empty/alpha.txt", []],
    ]),
  );
});

test("without time there is no answer, and that is said", () => {
  const files = [textFile("a.txt", ["alpha beta"])];
  const scorer = new LexicalScorer(snapshotOf([{ files, dead: [0] }]));
  const query = { terms: new Map([["alpha", 1]]), weights: WEIGHTS, limit: 10 };
  expect(scorer.search(query, () => true)).toEqual({ hits: [], isComplete: false });
  expect(scorer.search(query, () => false)).toMatchObject({
    hits: [{ file: { path: "a.txt" } }],
    isComplete: true,
  });
});

test("when the time ends on the way the rarest terms have been looked at", async () => {
  const files = [
    textFile("a.txt", ["alpha beta"]),
    textFile("b.txt", ["beta"]),
    textFile("c.txt", ["beta gamma gamma"]),
    textFile("d.txt", ["gamma"]),
  ];
  const all = [{ files, dead: [0, 0, 0, 0] }];
  const every = new Map([
    ["beta", 1],
    ["gamma", 1],
    ["alpha", 1],
  ]);
  let looks = 0;
  const { hits, isComplete } = new LexicalScorer(snapshotOf(all)).search(
    { terms: every, weights: WEIGHTS, limit: 10 },
    () => ++looks > 2,
  );
  expect(isComplete).toBe(false);
  const rarest = new Map([
    ["gamma", 1],
    ["alpha", 1],
  ]);
  expect(await shown(hits)).toEqual(await call(all, rarest));
});

test("a question asked while another is being answered leaves it as it is", async () => {
  const files = [
    textFile("a.txt", ["alpha beta"]),
    textFile("b.txt", ["beta beta"]),
    textFile("c.txt", ["gamma alpha"]),
  ];
  const all = [{ files, dead: [0, 0, 0] }];
  const scorer = new LexicalScorer(snapshotOf(all));
  const ask = (term: string): readonly LexicalHit[] =>
    scorer.search({ terms: new Map([[term, 1]]), weights: WEIGHTS, limit: 10 }, () => false).hits;
  const first = ask("alpha");
  const second = ask("beta");
  expect(await shown(first)).toEqual(await call(all, new Map([["alpha", 1]])));
  expect(await shown(second)).toEqual(await call(all, new Map([["beta", 1]])));
});

test("the commonest terms are left out where looking at all would take too long", async () => {
  // 210,000 postings of each of three terms; with the rare one more than the 600,000 of a question.
  const lines = Array.from(
    { length: 1000 },
    (_, at) => `alpha beta gamma ${at === 500 ? "delta" : ""}`,
  );
  const bytes = Buffer.from(lines.join("\n"));
  const chunks = lines.map((_, at) => {
    return { startLine: at + 1, endLine: at + 1, symbol: "", names: [], kind: "text" as const };
  });
  const files = Array.from({ length: 210 }, (_, at) =>
    textFile(
      `f${at}.txt`,
      [],
      at < 209 ? { bytes, chunks } : { bytes: Buffer.from("gamma"), chunks: chunks.slice(0, 1) },
    ),
  );
  const scorer = new LexicalScorer(snapshotOf([{ files, dead: files.map(() => 0) }]));
  const ask = (...wanted: readonly string[]): readonly (readonly [string, number, number])[] => {
    const query = { terms: new Map(wanted.map((term) => [term, 1])), weights: WEIGHTS, limit: 500 };
    const { hits, isComplete } = scorer.search(query, () => false);
    expect(isComplete).toBe(true);
    return hits.map(({ file, score, best }) => [file.path, score, best]);
  };
  const without = ask("delta", "alpha", "beta");
  expect(ask("gamma", "beta", "alpha", "delta")).toEqual(without);
  expect(without).toHaveLength(209);
  expect(ask("gamma", "alpha")).toHaveLength(210);
  expect(ask("gamma", "delta")).toHaveLength(210);
}, 30_000);

test("the share of code and tests is that of their files", () => {
  const roles = ["code", "tests", "docs", "config", "code"] as const;
  const files = roles.map((role, at) => textFile(`f${at}`, ["text"], { role }));
  const snapshot = snapshotOf([
    { files: files.slice(0, 2), dead: [0, 0] },
    { files: files.slice(2), dead: [0, 0, 0] },
  ]);
  expect(codeShare(snapshot)).toBeCloseTo(3 / 5);
  expect(codeShare(snapshotOf([]))).toBe(0);
});
