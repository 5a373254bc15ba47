import * as fc from "fast-check";
import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { readEmbeddingTable } from "../../src/embed/read-embedding-table.ts";
import { component, svceBytes } from "./helpers.ts";

const WORDS = ["parse", "http", "response", "token", "tokens", "id", "42", "ration", "expi"];
const BYTES = svceBytes({ words: WORDS, dimensions: 32, bits: 4 });

function call(word: string, bytes: Uint8Array = BYTES): readonly string[] {
  return readEmbeddingTable(bytes)
    .rowsOf(word)
    .map((row) => WORDS[row] ?? "?");
}

test.each([
  ["parseHTTPResponse2", ["parse", "http", "response"]],
  ["parse_http_42", ["parse", "http", "42"]],
  ["TOKEN_ID", ["token", "id"]],
  ["tokens", ["tokens"]],
  ["token_token", ["token", "token"]],
  ["xExpirationY", ["expi", "ration"]],
  ["expiration", ["expi", "ration"]],
  ["httptoken", ["http", "token"]],
  ["zzhttpzz", ["http"]],
  ["idé", ["id"]],
  ["i", []],
  ["zzz", []],
  ["1234", []],
  ["", []],
])("the rows of %s", (word, expected) => {
  expect(call(word)).toEqual(expected);
});

test("a word is split in the most likely way", () => {
  const words = ["abc", "def", "abcd", "efgh", "ghi"];
  const probable = (best: number) =>
    svceBytes({
      words,
      dimensions: 16,
      bits: 8,
      logProbability: (row) => (row === best ? -1 : -9),
    });
  // abc + def is more likely than abcd + efgh, although the latter covers more.
  expect(readEmbeddingTable(probable(0)).rowsOf("abcdefgh")).toEqual([2, 3]);
  // A rare long piece loses to two frequent ones: abc def ghi.
  expect(readEmbeddingTable(probable(4)).rowsOf("abcdefghi")).toEqual([0, 1, 4]);
});

test("the log probability of known words, undefined for others", () => {
  const bytes = svceBytes({
    words: ["abc", "abcd"],
    dimensions: 16,
    bits: 8,
    logProbability: (row) => -row - 1,
  });
  const { logProbability } = readEmbeddingTable(bytes);
  expect(["abc", "abcd", "ab", "abcabc", ""].map(logProbability)).toEqual([
    -1,
    -2,
    undefined,
    undefined,
    undefined,
  ]);
});

/** Returns the best score by the definition of the model: tries every split. */
function bestScore(word: string, scores: ReadonlyMap<string, number>): number {
  const best = [0];
  for (let end = 1; end <= word.length; end += 1) {
    const ways = [(best[end - 1] ?? 0) - 18];
    for (let start = Math.max(0, end - 20); start <= end - 3; start += 1) {
      const score = scores.get(word.slice(start, end));
      if (score !== undefined) ways.push((best[start] ?? 0) + score - 3);
    }
    best.push(Math.max(...ways));
  }
  return best.at(-1) ?? 0;
}

test("no split of a word scores better than the one that is taken", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 3, maxLength: 6 });
  const property = fc.property(
    fc.uniqueArray(fc.tuple(piece, fc.integer({ min: -15, max: -1 })), {
      selector: ([text]) => text,
      minLength: 1,
      maxLength: 12,
    }),
    fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), minLength: 4, maxLength: 40 }),
    (entries, word) => {
      const words = entries.map(([text]) => text);
      const scores = new Map(entries);
      fc.pre(!scores.has(word));
      const bytes = svceBytes({
        words,
        dimensions: 16,
        bits: 8,
        logProbability: (row) => entries[row]?.[1] ?? 0,
      });
      const pieces = readEmbeddingTable(bytes)
        .rowsOf(word)
        .map((row) => words[row] ?? "");
      const skipped = word.length - pieces.join("").length;
      const score = pieces.reduce((sum, text) => sum + (scores.get(text) ?? 0) - 3, -18 * skipped);
      expect(score).toBe(bestScore(word, scores));
    },
  );
  fc.assert(property);
});

test("only the first 256 characters of a word of a megabyte count", () => {
  const table = readEmbeddingTable(BYTES);
  expect(table.rowsOf("http".repeat(250_000))).toHaveLength(64);
  expect(table.rowsOf("z".repeat(1_000_000))).toEqual([]);
  expect(table.rowsOf("Id".repeat(500_000))).toHaveLength(128);
});

function value(row: number, at: number): number {
  return ((row * 7 + at) % 15) - 7;
}

test.each([4, 8] as const)("rows of int%i are read from unaligned bytes", (bits) => {
  const bytes = svceBytes({ words: WORDS, dimensions: 48, bits, value });
  // An address that is not aligned for a Float32Array.
  const moved = new Uint8Array(bytes.length + 1).subarray(1);
  moved.set(bytes);
  const table = readEmbeddingTable(moved);
  expect(table.dimensions).toBe(48);
  for (const row of WORDS.keys()) {
    for (const at of [0, 1, 31, 47]) {
      expect(component(table, row, at)).toBeCloseTo(0.01 * (row + 1) * value(row, at), 6);
    }
  }
});

test("the id changes with the content", () => {
  const other = svceBytes({ words: WORDS, dimensions: 32, bits: 4, value: () => 1 });
  const { id } = readEmbeddingTable(BYTES);
  expect(id).toMatch(/^svce1-32-[0-9a-f]{8}$/);
  expect(readEmbeddingTable(Buffer.from(BYTES)).id).toBe(id);
  expect(readEmbeddingTable(other).id).not.toBe(id);
});

test.each([
  ["nothing", Buffer.alloc(0), "it does not begin with SVCE"],
  ["another file", Buffer.from("\0asm".repeat(9)), "it does not begin with SVCE"],
  ["a future version", changed({ v: 2 }), "its version is 2"],
  ["numbers of 3 bits", changed({ bits: 3 }), "its numbers have 3 bits"],
  ["odd dimensions", changed({ dim: 40 }), "its dimensions are 40"],
  ["a negative size", changed({ rows: -1 }), 'its header has no valid "rows"'],
  ["a size beyond any memory", changed({ rows: 2 ** 52 }), 'its header has no valid "rows"'],
  ["a wrong number of rows", changed({ rows: 8 }), "bytes, not"],
  ["a missing field", changed({ vocabBytes: undefined }), 'its header has no valid "vocabBytes"'],
  [
    "a missing word",
    svceBytes({ words: ["a\nb"], dimensions: 16, bits: 8 }),
    "one word for each of its 1 rows",
  ],
  [
    "an infinite probability",
    svceBytes({ words: WORDS, dimensions: 16, bits: 8, logProbability: () => Infinity }),
    "not finite",
  ],
])("the error names the damage: %s", (_what, bytes, message) => {
  expect(() => readEmbeddingTable(bytes)).toThrow(
    expect.objectContaining({
      code: "INTERNAL_ERROR",
      message: expect.stringContaining(message),
      hint: expect.stringContaining("Install svc again"),
    }),
  );
});

function changed(header: object): Buffer {
  return svceBytes({ words: WORDS, dimensions: 32, bits: 4, header });
}

/** Returns the rows of a few words, or the code of the error. */
function outcome(bytes: Uint8Array): readonly number[] | string {
  try {
    const table = readEmbeddingTable(bytes);
    return ["parseHTTPResponse2", "expiration", "zzzzzz"].flatMap((word) => table.rowsOf(word));
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
}

test("a truncated table is refused at any length", () => {
  for (let length = 0; length < BYTES.length; length += 1) {
    expect(outcome(BYTES.subarray(0, length))).toBe("INTERNAL_ERROR");
  }
});

test("flipped bytes cause an INTERNAL_ERROR or other rows, nothing else", () => {
  const flip = fc.tuple(fc.nat(BYTES.length - 1), fc.integer({ min: 1, max: 255 }));
  const property = fc.property(fc.array(flip, { minLength: 1, maxLength: 4 }), (flips) => {
    const bytes = Buffer.from(BYTES);
    for (const [at, bits] of flips) bytes[at] = (bytes[at] ?? 0) ^ bits;
    const found = outcome(bytes);
    const isSound = typeof found !== "string" && found.every((row) => row < WORDS.length);
    expect(isSound || found === "INTERNAL_ERROR").toBe(true);
  });
  fc.assert(property, { numRuns: 2000 });
});
