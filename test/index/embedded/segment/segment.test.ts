import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createTokenizer } from "../../../../src/parse/tokenizer.ts";
import { TERM_FIELDS } from "../../../../src/index/embedded/segment/format.ts";
import { literal } from "../../../../src/index/literal-query.ts";
import { codedLength, lengthCode } from "../../../../src/index/coding/length-code.ts";
import type { SymbolFacts, FileInput } from "../../../../src/index/types.ts";
import type { SegmentReader } from "../../../../src/index/embedded/segment/segment-reader.ts";
import { SegmentWriter } from "../../../../src/index/embedded/segment/segment-writer.ts";
import {
  documentsOf,
  lengthOf,
  postingsOf,
  readerOf,
  segmentOf,
  someFiles,
  textFile,
  type Posting,
} from "../../../helpers/segments.ts";

const tokenizer = createTokenizer();

function call(files: readonly FileInput[]): SegmentReader {
  return segmentOf(files);
}

/** Every posting of a field by term. */
function naivePostings(files: readonly FileInput[], field: (typeof TERM_FIELDS)[number]) {
  const postings = new Map<string, Posting[]>();
  for (const [document, counts] of documentsOf(files, field).entries()) {
    for (const [term, count] of counts) {
      postings.set(term, [...(postings.get(term) ?? []), [document, Math.min(255, count)]]);
    }
  }
  return postings;
}

test("the postings of every term in every field equal a count without an index", () => {
  fc.assert(
    fc.property(someFiles(6), (files) => {
      const reader = call(files);
      const terms = new Set<string>();
      for (const field of TERM_FIELDS) {
        for (const [term, postings] of naivePostings(files, field)) {
          terms.add(term);
          expect([term, postingsOf(reader, field, term)]).toEqual([term, postings]);
        }
      }
      const entries = [...reader.dictionary.entries()];
      expect(entries.map(({ term }) => term)).toEqual([...terms].toSorted());
      expect(reader.directory.terms).toBe(terms.size);
      const postings = entries.reduce((sum, { counts }) => counts.reduce((a, b) => a + b, sum), 0);
      const expected = TERM_FIELDS.flatMap((field) => documentsOf(files, field));
      expect(postings).toBe(expected.reduce((sum, counts) => sum + counts.size, 0));
      expect(reader.damagedSections()).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

function totalOf(lengths: readonly number[] = []): number {
  return lengths.reduce((total, length) => total + length, 0);
}

test("lengths and their totals equal a count without an index", () => {
  fc.assert(
    fc.property(someFiles(6), (files) => {
      const reader = call(files);
      const [body, names] = (["body", "names"] as const).map((field) =>
        documentsOf(files, field).map(lengthOf),
      );
      expect([...reader.bodyCodes()]).toEqual(body?.map(lengthCode));
      expect([...reader.namesCodes()]).toEqual(names?.map(lengthCode));
      expect(reader.directory.totals).toEqual({ body: totalOf(body), names: totalOf(names) });
      expect([...reader.column("length")]).toEqual(
        files.map((file) => totalOf(documentsOf([file], "body").map(lengthOf))),
      );
    }),
    { numRuns: 100 },
  );
});

test("files, paths, outlines and symbols are read back unchanged", () => {
  fc.assert(
    fc.property(someFiles(6), (files) => {
      const reader = call(files);
      const ofChunks: number[] = [];
      const ofSymbols: number[] = [];
      for (const [at, { path, language, role, flags, chunks, symbols }] of files.entries()) {
        expect(reader.file(at)).toEqual({ path, language, role, flags });
        expect(reader.path(at)).toBe(path);
        expect(reader.outline(at)).toEqual({ chunks, symbols });
        expect(reader.chunksOf(at)).toEqual(chunks);
        expect(reader.column("firstChunk")[at]).toBe(ofChunks.length);
        expect(reader.column("firstSymbol")[at]).toBe(ofSymbols.length);
        ofChunks.push(...chunks.map(() => at));
        ofSymbols.push(...symbols.map(() => at));
      }
      expect([...reader.filesOfChunks()]).toEqual(ofChunks);
      expect(ofSymbols.map((_, symbol) => reader.fileOfSymbol(symbol))).toEqual(ofSymbols);
      const { directory } = reader;
      expect([directory.files, directory.chunks, directory.symbols]).toEqual([
        files.length,
        ofChunks.length,
        ofSymbols.length,
      ]);
      expect([...reader.pathOrder()].map((at) => reader.path(at))).toEqual(
        files.map(({ path }) => path).toSorted(),
      );
    }),
    { numRuns: 100 },
  );
});

test("each of thousands of terms is found in any block, and no other", () => {
  const words = Array.from({ length: 5000 }, (_, at) => `w${(at * 7919).toString(36)}q`);
  const reader = call([textFile("a.txt", words)]);
  const terms = words.flatMap((text) => tokenizer.split(text));
  expect(terms.filter((term) => postingsOf(reader, "body", term).length !== 1)).toEqual([]);
  for (const absent of ["", "a", "w", "zzzz", "w0", "~", "\u{10ffff}", "wzzzzq", "😀"]) {
    expect([absent, reader.dictionary.lookup(absent)]).toEqual([absent, undefined]);
  }
  expect(postingsOf(reader, "names", tokenizer.split(words[0] ?? "")[0] ?? "")).toEqual([]);
});

test("terms beyond the basic plane are found, also when cut inside a surrogate pair", () => {
  const words = [
    `${"y".repeat(63)}𐌰`,
    `${"y".repeat(63)}\u{fb01}a`,
    "\u{fb01}ne",
    "𝒜𝒷",
    "𝒜𝒸",
    "𐌰x",
    "𐌱x",
    "\u{20000}\u{20001}",
    // Letters between the surrogates and the end of the plane that case folding does not change.
    "\ufa0e\ufa0f",
    "\ufa11\ufa13",
  ];
  const reader = call([textFile("a.txt", words)]);
  for (const text of words) {
    for (const term of tokenizer.split(text)) {
      expect([term, postingsOf(reader, "body", term)]).toEqual([term, [[0, 1]]]);
    }
  }
});

test("a frequency is capped at 255, but the length counts all occurrences", () => {
  const reader = call([textFile("a.txt", [Array.from({ length: 300 }, () => "again").join(" ")])]);
  expect(postingsOf(reader, "body", "again")).toEqual([[0, 255]]);
  expect(reader.directory.totals.body).toBe(300);
  expect([...reader.column("length")]).toEqual([300]);
});

function classNamed(name: string, startLine: number): SymbolFacts {
  return {
    name,
    qualifiedName: `Outer.${name}`,
    kind: "class",
    access: "exported",
    startLine,
    endLine: 400,
    nameLine: startLine,
  };
}

test("symbols are found by their lower-case name, long ones by the cut term", () => {
  const long = `Session${"x".repeat(80)}`;
  const reader = call([
    textFile("a.ts", ["one"]),
    textFile("b.ts", ["two"], { symbols: [classNamed("Session", 3), classNamed(long, 9)] }),
    textFile("c.ts", ["three"], { symbols: [classNamed("SESSION", 7)] }),
  ]);
  expect(postingsOf(reader, "symbols", "session")).toEqual([
    [0, 1],
    [2, 1],
  ]);
  expect(postingsOf(reader, "symbols", long.toLowerCase().slice(0, 64))).toEqual([[1, 1]]);
  expect([0, 1, 2].map((symbol) => reader.fileOfSymbol(symbol))).toEqual([1, 1, 2]);
  expect(postingsOf(reader, "body", "session")).toEqual([]);
});

/** The candidates of two files. */
function candidates(reader: SegmentReader, text: string): number[] {
  return [...(reader.trigrams.candidates(literal(text)) ?? [0, 1])];
}

test("the trigrams of a segment are those of its files, whatever segment was written before", () => {
  const writer = new SegmentWriter();
  writer.add(textFile("a.txt", ["the aardvark sleeps"]));
  writer.add(textFile("b.txt", ["the badger digs"]));
  for (const reader of [
    readerOf(writer.finish()),
    call([textFile("a.txt", ["aardvark"]), textFile("b.txt", ["badger"])]),
    call([textFile("a.txt", ["aardvark"]), textFile("b.txt", ["badger"])]),
  ]) {
    expect(candidates(reader, "aardvark")).toEqual([0]);
    expect(candidates(reader, "badger")).toEqual([1]);
    expect(candidates(reader, "zebra")).toEqual([]);
  }
});

test("a length code is accurate to within 2.2 %, keeps the order, and 0 stays 0", () => {
  const lengths = Array.from({ length: 61_000 }, (_, at) => at + 1);
  const codes = lengths.map(lengthCode);
  expect(codes).toEqual(codes.toSorted((one, other) => one - other));
  const faults = lengths.map((length, at) => Math.abs(codedLength(codes[at] ?? 0) / length - 1));
  expect(faults.reduce((one, other) => Math.max(one, other))).toBeLessThan(0.022);
  expect([lengthCode(0), codedLength(0), lengthCode(2 ** 30)]).toEqual([0, 0, 255]);
});

test("a segment without files can be read", () => {
  const reader = call([]);
  expect([reader.files, reader.chunks, reader.directory.terms]).toEqual([0, 0, 0]);
  expect(reader.dictionary.lookup("anything")).toBeUndefined();
  expect([...reader.dictionary.entries()]).toEqual([]);
  expect([...reader.pathOrder(), ...reader.filesOfChunks(), ...reader.bodyCodes()]).toEqual([]);
  expect(reader.damagedSections()).toEqual([]);
});
