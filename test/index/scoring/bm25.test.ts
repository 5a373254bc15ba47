import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { CandidateQuery, Candidates } from "../../../src/index/scoring/candidates.ts";
import { corpusStatsOf } from "../../../src/index/corpus-stats.ts";
import type { FileInput } from "../../../src/index/types.ts";
import { BLEND } from "../../../src/search/weights.ts";
import { nearly, picture, shown, WEIGHTS } from "../../helpers/expect-candidates.ts";
import { naive, type NaiveFile, type Part } from "../../helpers/naive-candidates.ts";
import { findIn, snapshotOf } from "../../helpers/searched-snapshots.ts";
import { textFile } from "../../helpers/segments.ts";
import { questionOf, SMALL, smallEmbeddings } from "../../helpers/vectors.ts";

/** Another table with vectors of the same length. */
const OTHER = smallEmbeddings("other", 2);

interface SearchInput {
  readonly parts: readonly Part[];
  readonly more?: Partial<CandidateQuery>;
  readonly vectorsInMemory?: number;
}

async function search({ parts, more, vectorsInMemory }: SearchInput): Promise<Candidates> {
  const query = { terms: new Map(), weights: WEIGHTS, limit: 1000, ...more };
  const found = await findIn([snapshotOf(parts)], query, { vectorsInMemory });
  expect(found.isComplete).toBe(true);
  return found;
}

async function call(
  parts: readonly Part[],
  terms: CandidateQuery["terms"],
  more: Partial<CandidateQuery> = {},
): Promise<readonly NaiveFile[]> {
  return shown(await search({ parts, more: { terms, ...more } }));
}

const WORDS = ["alpha", "beta", "gamma", "delta", "omega"] as const;
const word = fc.constantFrom(...WORDS);
const chunk = fc.record({
  lines: fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
  names: fc.array(word, { maxLength: 3 }),
});
const someFiles = fc
  .array(
    fc.record({
      chunks: fc.array(chunk, { maxLength: 4 }),
      name: word,
      dead: fc.constantFrom(0, 0, 0, 1),
      isFinal: fc.constantFrom(true, true, true, false),
      // Copies, so that scores are equal.
      copies: fc.constantFrom(1, 1, 1, 3),
    }),
    { maxLength: 6 },
  )
  .map((all) => {
    const files: FileInput[] = [];
    const dead: number[] = [];
    for (const { chunks, name, dead: isDead, isFinal, copies } of all) {
      for (let copy = 0; copy < copies; copy += 1) {
        files.push({ ...fileOf(`src${files.length}/${name}.ts`, chunks), isFinal });
        dead.push(isDead);
      }
    }
    return { files, dead };
  });
const somePart = fc
  .tuple(someFiles, fc.constantFrom(SMALL, SMALL, SMALL, OTHER, undefined))
  .map(([some, embeddings]): Part => ({ ...some, embeddings }));
const someParts = fc.array(somePart, { minLength: 1, maxLength: 4 }).map((all) =>
  // Different paths, because the segments of an index never contain a file twice.
  all.map(({ files: some, ...rest }, at) => ({
    ...rest,
    files: some.map((file) => ({ ...file, path: `part${at}/${file.path}` })),
  })),
);
const terms = fc
  .uniqueArray(fc.constantFrom(...WORDS, "absent"), { minLength: 1 })
  .chain((chosen) =>
    fc
      .array(fc.constantFrom(1, 0.6, 0.25), { minLength: chosen.length, maxLength: chosen.length })
      .map((weights) => new Map(chosen.map((term, at) => [term, weights[at] ?? 1]))),
  );

const vector = fc
  .array(fc.constantFrom(...WORDS, "token", "config"), { minLength: 1, maxLength: 4 })
  .map((words) => questionOf(words.join(" "), SMALL));
const question = fc.record({ terms, vector: fc.option(vector, { nil: undefined }) });

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

test("files and chunks have the scores of the formulas, without deleted files", async () => {
  await fc.assert(
    fc.asyncProperty(someParts, question, async (all, asked) => {
      const found = await search({ parts: all, more: asked });
      expect(await picture(found)).toEqual(nearly(naive(all, asked)));
    }),
    { numRuns: 150 },
  );
});

test("with more vectors than fit in memory, only those of files with a term are compared", async () => {
  await fc.assert(
    fc.asyncProperty(someParts, terms, vector, async (all, wanted, nearTo) => {
      const asked = { terms: wanted, vector: nearTo };
      const found = await search({ parts: all, more: asked, vectorsInMemory: 0 });
      expect(await picture(found)).toEqual(nearly(naive(all, asked, { onlyWorded: true })));
    }),
    { numRuns: 100 },
  );
});

test("a limit returns the beginning of the list, a filter the matching part", async () => {
  const filters = fc.constantFrom<CandidateQuery["filter"]>(
    undefined,
    ({ path }) => path.includes("alpha"),
    ({ path }) => !path.startsWith("part0/"),
    () => false,
  );
  await fc.assert(
    fc.asyncProperty(someParts, question, fc.nat(8), filters, async (all, asked, limit, filter) => {
      const whole = await call(all, asked.terms, asked);
      const left = whole.filter(({ path }) =>
        filter === undefined ? true : filter({ path, language: "", role: "code", flags: 0 }),
      );
      const found = await call(all, asked.terms, { ...asked, limit, filter });
      expect(found).toEqual(left.slice(0, limit));
    }),
    { numRuns: 150 },
  );
});

test("with many files, comparing the best 600 by terms gives the best of all", async () => {
  const files = Array.from({ length: 700 }, (_, at) =>
    textFile(`f${at}.txt`, [
      "alpha ".repeat(at < 350 ? 3 : 1),
      ["beta", "gamma", "delta"].slice(0, at % 4).join(" "),
    ]),
  );
  // The most similar file, and the last one by terms.
  const nearest = textFile("beta.txt", ["alpha", "and so on, ".repeat(40), "beta ".repeat(9)]);
  const more = {
    terms: new Map([["alpha", 1]]),
    vector: questionOf("beta", SMALL),
    limit: 100,
  };
  const ask = (all: readonly FileInput[], vectorsInMemory: number): Promise<Candidates> => {
    const parts = [all.slice(0, 300), all.slice(300)].map((some) => ({
      files: some,
      dead: some.map(() => 0),
      embeddings: SMALL,
    }));
    return search({ parts, more, vectorsInMemory });
  };
  const [whole, part] = [await ask(files, 1e6), await ask(files, 0)];
  expect(part.files).toHaveLength(100);
  expect(await shown(part)).toEqual(await shown(whole));
  const [withNearest, without] = [
    await ask([...files, nearest], 1e6),
    await ask([...files, nearest], 0),
  ];
  expect(withNearest.maxSimilarity).toBeGreaterThan(whole.maxSimilarity + 0.1);
  expect(without.maxSimilarity).toBe(part.maxSimilarity);
});

test("a query without a known term finds files by similarity", async () => {
  const files = ["beta gamma", "gamma", "delta"].map((text, at) => textFile(`${at}.txt`, [text]));
  const all = [{ files, dead: [0, 0, 0], embeddings: SMALL }];
  const hits = await call(all, new Map([["absent", 1]]), { vector: questionOf("beta", SMALL) });
  expect(hits[0]).toMatchObject({
    path: "0.txt",
    own: 0,
    score: expect.closeTo(BLEND.similarity, 4),
    chunks: [{ body: 0, names: 0, similarity: expect.closeTo(1, 4), bodyTerms: [] }],
  });
});

test("vectors of another table are not compared, even with the same length", async () => {
  const files = [textFile("a.txt", ["alpha beta"]), textFile("b.txt", ["beta"])];
  const one = { files: files.slice(0, 1), dead: [0], embeddings: SMALL };
  const other = { files: files.slice(1), dead: [0], embeddings: OTHER };
  for (const embeddings of [SMALL, OTHER]) {
    for (const vectorsInMemory of [0, 1000]) {
      const more = { terms: new Map([["beta", 1]]), vector: questionOf("beta", embeddings) };
      const found = await search({ parts: [one, other], more, vectorsInMemory });
      // oxlint-disable-next-line no-await-in-loop -- one query after the other
      const meanings = (await shown(found)).map(({ path, chunks }) => [
        path,
        chunks[0]?.similarity,
      ]);
      const own = embeddings === SMALL ? "a.txt" : "b.txt";
      expect(new Map(meanings.map(([path, meaning]) => [path, meaning === 0]))).toEqual(
        new Map(["a.txt", "b.txt"].map((path) => [path, path !== own])),
      );
    }
  }
});

function alike(text: string, count: number): FileInput[] {
  return Array.from({ length: count }, (_, at) => textFile(`${text.length}/f${at}.txt`, [text]));
}

test("files with equal scores come in path order, whatever the limit and the order in the index", async () => {
  const files = [
    ...alike("alpha beta gamma delta omega", 3),
    ...alike("alpha beta", 2),
    ...alike("alpha beta gamma", 4),
    ...alike("alpha", 5),
  ];
  const all = [{ files, dead: files.map(() => 0) }];
  const whole = await call(all, new Map([["alpha", 1]]));
  const paths = whole.map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith("5/"))).toEqual(
    [0, 1, 2, 3, 4].map((at) => `5/f${at}.txt`),
  );
  const turned = [{ files: files.toReversed(), dead: files.map(() => 0) }];
  expect(await call(turned, new Map([["alpha", 1]]))).toEqual(whole);
  for (let limit = 0; limit <= whole.length; limit += 1) {
    expect(await call(all, new Map([["alpha", 1]]), { limit })).toEqual(whole.slice(0, limit));
  }
});

test("a term in every chunk still ranks chunks with more occurrences higher", async () => {
  const files = [textFile("one.txt", ["alpha beta"]), textFile("two.txt", ["alpha alpha"])];
  const hits = await call([{ files, dead: [0, 0] }], new Map([["alpha", 1]]));
  expect(hits.map(({ path }) => path)).toEqual(["two.txt", "one.txt"]);
  for (const { own, chunks } of hits) {
    expect(Math.min(own, ...chunks.map(({ body }) => body))).toBeGreaterThan(0);
  }
});

test("a file that matches only by its path is found, with or without chunks", async () => {
  const chunks = [1, 2].map((startLine) => {
    return { startLine, endLine: startLine, symbol: "", names: [], kind: "text" as const };
  });
  const files = [
    textFile("alpha.txt", [], { chunks, bytes: Buffer.from("beta\ngamma") }),
    textFile("empty/alpha.txt", [], { chunks: [] }),
  ];
  const hits = await call([{ files, dead: [0, 0] }], new Map([["alpha", 1]]));
  expect(hits.map(({ path, pathTerms, chunks: { length } }) => [path, pathTerms, length])).toEqual([
    ["empty/alpha.txt", ["alpha"], 0],
    ["alpha.txt", ["alpha"], 2],
  ]);
  for (const { body, names } of hits.flatMap((hit) => hit.chunks)) {
    expect([body, names]).toEqual([0, 0]);
  }
});

test("of many terms the first 32, which are the rarest, have bits", async () => {
  const names = Array.from({ length: 40 }, (_, at) =>
    [97 + (at % 10), 97 + Math.floor(at / 10), 122]
      .map((code) => String.fromCharCode(code))
      .join(""),
  );
  // The first name is in every file, the last in one.
  const files = names.map((_, at) => textFile(`${at}.txt`, [names.slice(0, at + 1).join(" ")]));
  const { files: found, terms: known } = await search({
    parts: [{ files, dead: files.map(() => 0) }],
    more: { terms: new Map(names.map((term) => [term, 1])) },
  });
  expect(known.map(({ term }) => term)).toEqual(names.toReversed());
  const bits = new Map<string, number>();
  for (const { file, chunks } of found) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const { bodyTerms } of await chunks()) bits.set(file.path, bodyTerms);
  }
  expect(bits.get("39.txt")).toBe(0xffffffff);
  // File 8 contains the nine most frequent terms, of which the last is the 32nd by rarity.
  expect([bits.get("8.txt"), bits.get("7.txt")]).toEqual([0x80000000, 0]);
});

test("without time there is no result, and isComplete is false", async () => {
  const files = [textFile("a.txt", ["alpha beta"])];
  const shards = [snapshotOf([{ files, dead: [0] }])];
  const query = { terms: new Map([["alpha", 1]]), weights: WEIGHTS, limit: 10 };
  const late = await findIn(shards, query, { isLate: () => true });
  expect(late).toMatchObject({ files: [], isComplete: false });
  expect(await findIn(shards, query)).toMatchObject({
    files: [{ file: { path: "a.txt" } }],
    isComplete: true,
  });
});

test("when time runs out, the rarest terms have been scored", async () => {
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
  let calls = 0;
  const found = await findIn(
    [snapshotOf(all)],
    { terms: every, weights: WEIGHTS, limit: 10 },
    { isLate: () => ++calls > 2 },
  );
  expect(found.isComplete).toBe(false);
  expect(found.terms.map(({ term }) => term)).toEqual(["alpha", "gamma", "beta"]);
  const rarest = new Map([
    ["gamma", 1],
    ["alpha", 1],
  ]);
  expect(await shown(found)).toEqual(await call(all, rarest));
});

function queryOf(term: string): CandidateQuery {
  const near = questionOf(term, SMALL);
  return { terms: new Map([[term, 1]]), vector: near, weights: WEIGHTS, limit: 10 };
}

test("a query does not change the results of an earlier one", async () => {
  const files = [
    textFile("a.txt", ["alpha beta"]),
    textFile("b.txt", ["beta beta"]),
    textFile("c.txt", ["gamma alpha"]),
  ];
  const all = [{ files, dead: [0, 0, 0], embeddings: SMALL }];
  const shards = [snapshotOf(all)];
  const first = await findIn(shards, queryOf("alpha"));
  const second = await findIn(shards, queryOf("beta"));
  // Two queries at once, which alternate their steps.
  const [third, fourth] = await Promise.all([
    findIn(shards, queryOf("alpha")),
    findIn(shards, queryOf("beta")),
  ]);
  expect([await shown(third), await shown(fourth)]).toEqual([
    await shown(first),
    await shown(second),
  ]);
  for (const [found, term] of [[first, "alpha"] as const, [second, "beta"] as const]) {
    const { terms: wanted, ...more } = queryOf(term);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await shown(found)).toEqual(await call(all, wanted, more));
  }
});

test("the most frequent terms are skipped above the limit of postings", async () => {
  // 70,000 postings for each of three terms; with the rare one, more than the limit of 200,000 per query.
  const lines = Array.from(
    { length: 1000 },
    (_, at) => `alpha beta gamma ${at === 500 ? "delta" : ""}`,
  );
  const bytes = Buffer.from(lines.join("\n"));
  const chunks = lines.map((_, at) => {
    return { startLine: at + 1, endLine: at + 1, symbol: "", names: [], kind: "text" as const };
  });
  const files = Array.from({ length: 71 }, (_, at) =>
    textFile(
      `f${at}.txt`,
      [],
      at < 70 ? { bytes, chunks } : { bytes: Buffer.from("gamma"), chunks: chunks.slice(0, 1) },
    ),
  );
  const shards = [snapshotOf([{ files, dead: files.map(() => 0) }])];
  type Found = readonly (readonly [string, number, number])[];
  const ask = async (...wanted: readonly string[]): Promise<Found> => {
    const query = { terms: new Map(wanted.map((term) => [term, 1])), weights: WEIGHTS, limit: 500 };
    const { files: found, isComplete } = await findIn(shards, query);
    expect(isComplete).toBe(true);
    return found.map(({ file, score, fileScore }) => [file.path, score, fileScore]);
  };
  const without = await ask("delta", "alpha", "beta");
  expect(await ask("gamma", "beta", "alpha", "delta")).toEqual(without);
  expect(without).toHaveLength(70);
  // Three terms always count, whatever their postings.
  expect(await ask("gamma", "alpha", "beta")).toHaveLength(71);
  expect(await ask("gamma", "delta")).toHaveLength(71);
}, 30_000);

test("corpus statistics are the shares of code and tests, and of each language, over all segments", () => {
  const roles = ["code", "tests", "docs", "config", "code"] as const;
  const languages = ["go", "go", "markdown", "", "rust"];
  const files = roles.map((role, at) =>
    textFile(`f${at}`, ["text"], { role, language: languages[at] ?? "" }),
  );
  const stats = corpusStatsOf(
    snapshotOf([
      { files: files.slice(0, 1), dead: [0] },
      { files: files.slice(1), dead: [0, 0, 0, 0] },
    ]),
  );
  expect(stats.code).toBeCloseTo(3 / 5);
  const shares = { go: 2 / 5, markdown: 1 / 5, "": 1 / 5, rust: 1 / 5 };
  expect(Object.fromEntries(stats.languages)).toEqual(
    Object.fromEntries(
      Object.entries(shares).map(([name, share]) => [name, expect.closeTo(share, 6)]),
    ),
  );
  expect(corpusStatsOf(snapshotOf([]))).toEqual({ files: 0, code: 0, languages: new Map() });
});
