import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createTokenizer } from "../../src/chunk/words.ts";
import { FIELDS, KINDS, ROLES, type Field } from "../../src/index/format.ts";
import { SegmentReader } from "../../src/index/segment-reader.ts";
import { SegmentWriter, type ChunkInput, type FileInput } from "../../src/index/segment-writer.ts";
import { memoryStorage } from "../../src/index/storage-memory.ts";

const tokenizer = createTokenizer();

/** The reader of a segment with these files. */
function call(files: readonly FileInput[]): SegmentReader {
  const writer = new SegmentWriter(tokenizer);
  for (const [at, file] of files.entries()) expect(writer.add(file)).toBe(at);
  const storage = memoryStorage();
  storage.write("s.words", writer.finish());
  return new SegmentReader(storage, "s.words");
}

type Counts = ReadonlyMap<string, number>;

function countTerms(texts: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const text of texts) {
    tokenizer.terms(text, (term) => {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    });
  }
  return counts;
}

/** The terms of every document of a field, computed without an index. */
function naive(files: readonly FileInput[], field: Field): readonly Counts[] {
  if (field === "path") {
    return files.map(({ path }) => {
      const stemmed = path.replace(/\.[A-Za-z0-9]{1,8}$/, "");
      return countTerms([stemmed, stemmed.split("/").at(-1) ?? ""]);
    });
  }
  return files.flatMap(({ text, chunks }) =>
    chunks.map(({ startLine, endLine, names }) =>
      countTerms(field === "names" ? names : text.split("\n").slice(startLine - 1, endLine)),
    ),
  );
}

/** Every posting of a field as term -> [document, frequency] pairs. */
function naivePostings(documents: readonly Counts[]): Map<string, [number, number][]> {
  const postings = new Map<string, [number, number][]>();
  for (const [document, counts] of documents.entries()) {
    for (const [term, count] of counts) {
      postings.set(term, [...(postings.get(term) ?? []), [document, Math.min(255, count)]]);
    }
  }
  return postings;
}

function readPostings(reader: SegmentReader, field: Field, term: string): [number, number][] {
  const { documents = [], frequencies = [] } = reader.postings(field, term) ?? {};
  return [...documents].map((document, at) => [document, frequencies[at] ?? -1]);
}

const word = fc.oneof(
  fc.constantFrom("parseConfig", "user_id", "HTTPServer", "tokens", "x", "42", "Größe", "設定値"),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.stringMatching(/^[a-c]{1,6}[A-C]?[a-c]{0,3}$/),
  fc.constantFrom("𝒜𝒷𝒸𝒹", "x".repeat(70), `${"y".repeat(63)}😀z`, "😀😁", "\u{20000}\u{20001}"),
);
const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(" ").replaceAll("\n", ""));
const name = word.map((text) => text.replaceAll(/\s/g, "")).filter((text) => text !== "");

const fileFacts: fc.Arbitrary<Omit<FileInput, "path">> = fc
  .array(
    fc.record({
      lines: fc.array(line, { minLength: 1, maxLength: 5 }),
      symbol: fc.array(name, { maxLength: 2 }).map((names) => names.join(".")),
      names: fc.array(name, { maxLength: 3 }),
      kind: fc.constantFrom(...KINDS),
    }),
    { maxLength: 4 },
  )
  .chain((parts) => {
    const chunks: ChunkInput[] = [];
    const lines: string[] = [];
    for (const { lines: own, ...facts } of parts) {
      chunks.push({ startLine: lines.length + 1, endLine: lines.length + own.length, ...facts });
      lines.push(...own);
    }
    return fc.record({
      language: fc.constantFrom("typescript", "markdown", ""),
      role: fc.constantFrom(...ROLES),
      flags: fc.integer({ min: 0, max: 7 }),
      text: fc.constant(lines.join("\n")),
      chunks: fc.constant(chunks),
    });
  });

const files: fc.Arbitrary<readonly FileInput[]> = fc
  .array(fc.tuple(fileFacts, name), { maxLength: 6 })
  .map((all) =>
    all.map(([facts, part], at) => ({ ...facts, path: `src/${part.toWellFormed()}/File${at}.ts` })),
  );

test("postings, lengths and totals equal a count without an index", () => {
  fc.assert(
    fc.property(files, (all) => {
      const reader = call(all);
      const terms = new Set<string>();
      for (const field of FIELDS) {
        const documents = naive(all, field);
        const expected = naivePostings(documents);
        for (const [term, postings] of expected) {
          terms.add(term);
          expect([term, readPostings(reader, field, term)]).toEqual([term, postings]);
        }
        const lengths = documents.map((counts) => [...counts.values()].reduce((a, b) => a + b, 0));
        const columns = {
          body: reader.bodyLengths(),
          names: reader.namesLengths(),
          path: reader.pathLengths(),
        };
        expect([...columns[field]]).toEqual(lengths);
        expect(reader.directory.totals[field]).toBe(lengths.reduce((a, b) => a + b, 0));
      }
      expect(reader.directory.terms).toBe(terms.size);
      expect(reader.damagedSections()).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test("columns and strings of files and chunks are those that were added", () => {
  fc.assert(
    fc.property(files, (all) => {
      const reader = call(all);
      let firstChunk = 0;
      for (const [at, { path, language, role, flags, chunks }] of all.entries()) {
        const chunkCount = chunks.length;
        expect(reader.file(at)).toEqual({ path, language, role, flags, firstChunk, chunkCount });
        for (const [within, chunk] of chunks.entries()) {
          expect(reader.chunk(firstChunk + within)).toEqual({
            ...chunk,
            symbol: chunk.symbol.toWellFormed(),
            names: chunk.names.map((text) => text.toWellFormed()),
          });
          expect(reader.filesOfChunks()[firstChunk + within]).toBe(at);
        }
        firstChunk += chunkCount;
      }
      expect([reader.files, reader.chunks]).toEqual([all.length, firstChunk]);
      const body = reader.bodyLengths();
      const perFile = all.map((_, file) =>
        [...body].reduce(
          (sum, size, at) => sum + (reader.filesOfChunks()[at] === file ? size : 0),
          0,
        ),
      );
      expect([...reader.fileLengths()]).toEqual(perFile);
    }),
    { numRuns: 100 },
  );
});

function textFile(path: string, lines: readonly string[]): FileInput {
  const chunk = {
    startLine: 1,
    endLine: lines.length,
    symbol: "",
    names: [],
    kind: "text",
  } as const;
  return { path, language: "", role: "docs", flags: 0, text: lines.join("\n"), chunks: [chunk] };
}

test("each of thousands of terms is found, in whichever block it lies, and no other", () => {
  const words = Array.from({ length: 5000 }, (_, at) => `w${(at * 7919).toString(36)}q`);
  const reader = call([textFile("a.txt", words)]);
  for (const text of words) {
    for (const term of tokenizer.split(text)) {
      expect([term, readPostings(reader, "body", term).length]).toEqual([term, 1]);
    }
  }
  for (const absent of ["", "a", "w", "zzzz", "w0", "~", "\u{10ffff}", "wzzzzq", "😀"]) {
    expect([absent, reader.postings("body", absent)]).toEqual([absent, undefined]);
  }
  expect(reader.postings("names", tokenizer.split(words[0] ?? "")[0] ?? "")).toBeUndefined();
});

test("terms beyond the basic plane, cut in the middle of a pair or beside other high ones, are found", () => {
  const words = [
    `${"y".repeat(63)}😀`,
    `${"y".repeat(63)}\u{fb01}a`,
    "\u{fb01}ne",
    "𝒜𝒷",
    "𝒜𝒸",
    "😀x",
    "😁x",
    "\ue000x",
    "\uffe5x",
  ];
  const reader = call([textFile("a.txt", words)]);
  for (const text of words) {
    for (const term of tokenizer.split(text)) {
      expect([term, readPostings(reader, "body", term)]).toEqual([term, [[0, 1]]]);
    }
  }
});

test("a term that occurs more than 255 times counts 255, its length in full", () => {
  const reader = call([textFile("a.txt", [Array.from({ length: 300 }, () => "again").join(" ")])]);
  expect(readPostings(reader, "body", "again")).toEqual([[0, 255]]);
  expect([...reader.bodyLengths()]).toEqual([300]);
});

test("a segment without files can be read", () => {
  const reader = call([]);
  expect([reader.files, reader.chunks, reader.directory.terms]).toEqual([0, 0, 0]);
  expect(reader.postings("body", "anything")).toBeUndefined();
});
