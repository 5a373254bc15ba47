import type { FileInput } from "../../../../src/index/types.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { readAsset } from "../../../../src/base/assets.ts";
import { readEmbeddingTable } from "../../../../src/embed/read-embedding-table.ts";
import { SegmentReader } from "../../../../src/index/embedded/segment/segment-reader.ts";
import { SegmentWriter } from "../../../../src/index/embedded/segment/segment-writer.ts";
import { memoryFile } from "../../../../src/index/embedded/storage/storage-memory.ts";
import { Embedder } from "../../../../src/index/vectors/vector-writer.ts";
import { readerOf, segmentOf, someFiles, textFile } from "../../../helpers/segments.ts";
import { segmentBytes } from "../../../engine/fixtures/whole-segment.ts";
import { SMALL, smallEmbeddings, vectorsIn, vectorsOf } from "../../../helpers/vectors.ts";

/** The vectors in a segment of these files, and the expected ones. */
function compared(
  files: readonly FileInput[],
  source = SMALL,
): readonly (readonly [readonly Uint8Array[], readonly Uint8Array[]])[] {
  const reader = segmentOf(files, source);
  expect(reader.directory.embedder).toBe(source.id);
  return files.map((file, at) => [vectorsIn(reader, at), vectorsOf(file, source)]);
}

function expectSame(files: readonly FileInput[], source = SMALL): void {
  for (const [found, wanted] of compared(files, source)) expect(found).toEqual(wanted);
}

test("the vector of a chunk is made of its text and path, and only final files have vectors", () => {
  fc.assert(
    fc.property(someFiles(6), (files) => {
      expectSame(files);
      const reader = segmentOf(files, SMALL);
      const final = files.filter(({ isFinal }) => isFinal);
      const count = final.reduce((sum, { chunks }) => sum + chunks.length, 0);
      expect(reader.directory.vectorCount).toBe(count);
      expect([reader.vectorsLength, reader.vectorWidth]).toEqual([32 * count, count > 0 ? 32 : 0]);
      expect(reader.damagedSections()).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test.each<[string, string, readonly string[]]>([
  ["ASCII words", "a.ts", ["function parseToken(user) {", "  return token.name;", "}"]],
  ["the same word in other cases", "a.ts", ["PARSE Parse parse PARSE"]],
  ["words beyond ASCII", "a.md", ["die Größe, tokenß—parse", "parse\u2026config"]],
  ["scripts without spaces", "a.md", ["設定値token設定値", "\u{20000}parse"]],
  ["words that are not in the table but have pieces", "a.ts", ["parseconfigtoken aaabbbccc"]],
  [
    "a run beyond ASCII that is too long for the word table",
    "a.md",
    [`${"ß".repeat(80)}parse—token`],
  ],
  [
    "numbers that are words, and those that are too long",
    "a.md",
    ["42 123456789 x\u2026123456789"],
  ],
  ["a path of known words", "src/token/part_File.txt", ["nothing that it knows"]],
])("a vector is made of %s", (_, path, lines) => {
  const file = textFile(path, lines);
  expectSame([file]);
  // The vector is not zero.
  const [vector] = vectorsOf(file, SMALL);
  expect(vector?.some((byte) => byte !== 0)).toBe(true);
});

test("a number that is too long for a word counts neither alone nor after another character", () => {
  const texts = ["token", "token 123456789", "token\u2026123456789", "token 1234567890"];
  const reader = segmentOf(
    texts.map((text) => textFile("a.md", [text])),
    SMALL,
  );
  const vectors = texts.map((__, at) => vectorsIn(reader, at));
  expect(vectors).toEqual(texts.map(() => vectors[0]));
});

test("a chunk without a known word has a zero vector, whatever came before", () => {
  const files = [textFile("a", ["parse token"]), textFile("b", ["zzz"]), textFile("c", ["token"])];
  expectSame(files);
  const reader = segmentOf(files, SMALL);
  expect(vectorsIn(reader, 1)).toEqual([new Uint8Array(32)]);
});

test("a chunk's names, the lines between chunks and the names of symbols do not count", () => {
  const chunk = {
    startLine: 2,
    endLine: 2,
    symbol: "parse",
    names: ["parse"],
    kind: "text" as const,
  };
  const symbol = {
    name: "config",
    qualifiedName: "config",
    kind: "class",
    access: "exported",
  } as const;
  const file = textFile("a.ts", ["", "user token", "", "server"], {
    chunks: [chunk, { ...chunk, startLine: 4, endLine: 4 }],
    symbols: [{ ...symbol, startLine: 1, endLine: 1, nameLine: 1 }],
  });
  const plain = ["user token", "server"].map((text) => textFile("a.ts", [text]));
  const reader = segmentOf([file, ...plain], SMALL);
  expect(vectorsIn(reader, 0)).toEqual([1, 2].flatMap((at) => vectorsIn(reader, at)));
});

test("the headings above a page of a document count like its text", () => {
  const chunk = { startLine: 1, endLine: 1, symbol: "", kind: "section" as const };
  const page = (
    path: string,
    language: string,
    text: string,
    names: readonly string[],
  ): FileInput => textFile(path, [text], { language, chunks: [{ ...chunk, names }] });
  const reader = segmentOf(
    [
      page("a.pdf", "pdf", "user token", ["parse config", "http"]),
      page("a.pdf", "pdf", "user token parse config http", []),
      page("a.pdf", "text", "user token", ["parse config", "http"]),
      page("a.pdf", "text", "user token", []),
    ],
    SMALL,
  );
  const [headed, written, text, bare] = [0, 1, 2, 3].map((at) => vectorsIn(reader, at));
  expect(headed).toEqual(written);
  expect(text).toEqual(bare);
  expect(headed).not.toEqual(bare);
});

test("thousands of chunks, with more words than fit at first, have the right vectors", () => {
  const words = ["parse", "config", "user", "http", "server", "token", "rare", "aaabbb", "42"];
  const wordAt = (at: number): string => words[at % words.length] ?? "";
  const lines = Array.from({ length: 3000 }, (_, at) => {
    const others = Array.from({ length: 6 }, (__, of) => `w${(at * 6 + of).toString(36)}q`);
    return [...others, wordAt(at), wordAt(at >> 2), wordAt(at >> 4), wordAt(at >> 6)].join(" ");
  });
  const chunks = lines.map((_, at) => {
    return { startLine: at + 1, endLine: at + 1, symbol: "", names: [], kind: "text" as const };
  });
  const [[found, wanted] = [[], []]] = compared([textFile("src/a.ts", lines, { chunks })]);
  expect(found).toHaveLength(3000);
  expect(Buffer.concat(found).equals(Buffer.concat(wanted))).toBe(true);
  expect(new Set(found.map((vector) => Buffer.from(vector).toString("hex"))).size).toBeGreaterThan(
    50,
  );
});

test("one embedder makes the vectors of several segments", () => {
  const embedder = new Embedder(SMALL);
  for (const text of ["parse token", "user", "token token parse"]) {
    const file = textFile("src/a.ts", [text]);
    const writer = new SegmentWriter(undefined, embedder);
    writer.add(file);
    expect(vectorsIn(readerOf(writer.finish()), 0)).toEqual(vectorsOf(file, SMALL));
  }
});

test("with the built-in table a vector has 128 bytes, and is made of text and path", () => {
  const table = readEmbeddingTable(readAsset("embedding-table"));
  const source = { id: "built-in", load: () => table };
  const lines = [
    "/** Revokes a token. */",
    "function revokeToken(größe) {",
    "  return unmarshaljson;",
    "}",
  ];
  const files = [textFile("src/auth/session.ts", lines), textFile("README.md", ["# Größe"])];
  expectSame(files, source);
  expect(segmentOf(files, source).vectorWidth).toBe(128);
});

test("without an embedder there are no vectors", () => {
  const reader = segmentOf([textFile("a.ts", ["parse token"])]);
  expect(reader.directory).toMatchObject({ embedder: "", vectorCount: 0 });
  expect([reader.vectorsLength, reader.vectorWidth, vectorsIn(reader, 0)]).toEqual([0, 0, []]);
});

test("vectors count towards the size of a segment", () => {
  const lines = Array.from({ length: 2000 }, () => "token");
  const chunks = lines.map((_, at) => {
    return { startLine: at + 1, endLine: at + 1, symbol: "", names: [], kind: "text" as const };
  });
  const [without, withVectors] = [undefined, new Embedder(smallEmbeddings("wide", 1, 256))].map(
    (embedder) => {
      const writer = new SegmentWriter(undefined, embedder);
      writer.add(textFile("a.ts", lines, { chunks }));
      return writer.sizeBytes;
    },
  );
  expect((withVectors ?? 0) - (without ?? 0)).toBeGreaterThanOrEqual(2000 * 128);
});

const UNAVAILABLE = expect.objectContaining({ code: "INDEX_UNAVAILABLE" });

test("damaged vectors and reads after their end are INDEX_UNAVAILABLE", () => {
  const bytes = segmentBytes();
  const [start, length] = new SegmentReader(memoryFile(bytes, "s"), "s").directory.sections.vectors;
  for (const at of [0, 33, length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[start + at] = (damaged[start + at] ?? 0) ^ 0x10;
    const reader = new SegmentReader(memoryFile(damaged, "s"), "s");
    expect(reader.damagedParts()).toEqual(["vectors"]);
    for (const [from, count] of [
      [at, 1],
      [length - 32, 64],
    ] as const) {
      expect(() => reader.vectors(from, count)).toThrow(UNAVAILABLE);
    }
    expect(() => reader.allVectors(new Uint8Array(length))).toThrow(UNAVAILABLE);
  }
});

test("all vectors are read into memory of their length, and no other", () => {
  const reader = new SegmentReader(memoryFile(segmentBytes(), "s"), "s");
  const length = reader.vectorsLength;
  const all = new Uint8Array(length);
  reader.allVectors(all);
  expect(Buffer.from(all).equals(reader.vectors(0, length))).toBe(true);
  for (const other of [length - 1, length + 1])
    expect(() => reader.allVectors(new Uint8Array(other))).toThrow(UNAVAILABLE);
});
