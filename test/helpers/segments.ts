// Segments of synthetic files, and their expected content, computed without an index.

import { writeFingerprints } from "../../src/index/change-log/fingerprint-block.ts";
import * as fc from "fast-check";

import {
  NO_REFERENCES,
  USE_ROLES,
  type FileReferences,
  type Import,
  type Use,
} from "../../src/parse/references/references.ts";
import { isForeignProse } from "../../src/index/foreign-prose.ts";
import { createTokenizer, cutTerm, isPrefixTerm, withPrefixes } from "../../src/parse/tokenizer.ts";
import type { EmbeddingSource } from "../../src/embed/embedding-source.ts";
import { type Field } from "../../src/index/embedded/segment/format.ts";
import {
  ACCESS_LEVELS,
  CHUNK_KINDS,
  FILE_ROLES,
  type ChunkFacts,
  type Outline,
  type SymbolFacts,
  type FileInput,
} from "../../src/index/types.ts";
import { eachPosting } from "../../src/index/coding/posting-list.ts";
import type { FinishedSegment } from "../../src/index/embedded/segment/segment-assembly.ts";
import { SegmentReader } from "../../src/index/embedded/segment/segment-reader.ts";
import { SegmentWriter } from "../../src/index/embedded/segment/segment-writer.ts";
import { usedTerms } from "../../src/index/references/used-terms.ts";
import { memoryFile } from "../../src/index/embedded/storage/storage-memory.ts";
import { TrigramWriter } from "../../src/index/embedded/trigrams/trigram-writer.ts";
import { Embedder } from "../../src/index/vectors/vector-writer.ts";

const tokenizer = createTokenizer();
const foreignTokenizer = withPrefixes(tokenizer);
// Its tables are large, so all tests share one, as in an indexer that writes one segment after the other.
const trigrams = new TrigramWriter();

export function segmentOf(
  files: readonly FileInput[],
  embeddings?: EmbeddingSource,
  options: { readonly ahead?: boolean } = {},
): SegmentReader {
  const writer = new SegmentWriter(trigrams, embeddings && new Embedder(embeddings));
  for (const file of files) writer.add(file, someFingerprints(file));
  return readerOf(writer.finish(), options);
}

/** Encoded fingerprints with the symbols of a file. */
function someFingerprints({ path, symbols }: FileInput): Uint8Array {
  return writeFingerprints({
    outside: path.length,
    symbols: symbols.map(({ qualifiedName, kind }, at) => {
      return { qualifiedName, kind, signature: at % 100, body: at * 1_000_003 };
    }),
  });
}

export function readerOf(
  segment: FinishedSegment,
  options: { readonly ahead?: boolean } = {},
): SegmentReader {
  return new SegmentReader(memoryFile(bytesOf(segment), "segment"), "segment", options);
}

/** Returns the bytes of the file of a segment. */
export function bytesOf({ parts }: FinishedSegment): Buffer {
  return Buffer.concat(Array.from(parts, (part) => part.slice()));
}

/** A file of one chunk. */
export function textFile(
  path: string,
  lines: readonly string[],
  more: Partial<FileInput> = {},
): FileInput {
  const chunk: ChunkFacts = {
    startLine: 1,
    endLine: lines.length,
    symbol: "",
    names: [],
    kind: "text",
  };
  const facts = {
    path,
    language: "",
    role: "docs",
    flags: 0,
    isFinal: true,
    chunks: [chunk],
    symbols: [],
    references: NO_REFERENCES,
  } as const;
  return { ...facts, bytes: Buffer.from(lines.join("\n")), ...more };
}

/** Document and frequency, in order. */
export type Posting = readonly [number, number];

export function postingsOf(reader: SegmentReader, field: Field, term: string): Posting[] {
  const entry = reader.dictionary.lookup(term);
  const postings: Posting[] = [];
  if (entry === undefined) return postings;
  eachPosting(reader.dictionary.list(entry, field), (document, frequency) => {
    postings.push([document, frequency]);
  });
  return postings;
}

/** How often each term occurs in one document. */
export type Counts = ReadonlyMap<string, number>;

/** The documents of a field. */
export function documentsOf(files: readonly FileInput[], field: Field): readonly Counts[] {
  if (field === "path") return files.map(({ path }) => countTerms(textsOfPath(path)));
  if (field === "symbols") {
    return files.flatMap(({ symbols }) =>
      symbols.map(({ name }) => new Map([[cutTerm(name.toLowerCase()), 1]])),
    );
  }
  if (field === "uses") {
    return files.map(
      ({ references }) => new Map([...usedTerms(references)].map((term) => [term, 1])),
    );
  }
  return files.flatMap((file) => {
    const lines = file.bytes.toString().split("\n");
    const ofText = isForeignProse(file) ? foreignTokenizer : tokenizer;
    return file.chunks.map(({ startLine, endLine, names }) =>
      countTerms(field === "names" ? names : lines.slice(startLine - 1, endLine), ofText),
    );
  });
}

/** The file's own name counts twice, its extension not at all. */
function textsOfPath(path: string): readonly string[] {
  const stemmed = path.replace(/\.[A-Za-z0-9]{1,8}$/, "");
  return [stemmed, stemmed.split("/").at(-1) ?? ""];
}

function countTerms(texts: readonly string[], { terms } = tokenizer): Counts {
  const counts = new Map<string, number>();
  for (const text of texts) {
    terms(text, (term) => {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    });
  }
  return counts;
}

/** How many terms a document has, repeats included. */
export function lengthOf(counts: Counts): number {
  return [...counts].reduce((sum, [term, count]) => (isPrefixTerm(term) ? sum : sum + count), 0);
}

const word = fc.oneof(
  fc.constantFrom(
    "parseConfig",
    "user_id",
    "HTTPServer",
    "tokens",
    "x",
    "42",
    "Größe",
    "設定値",
    "und",
    "die",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.stringMatching(/^[a-c]{1,6}[A-C]?[a-c]{0,3}$/),
  fc.constantFrom(
    "𝒜𝒷𝒸𝒹",
    "x".repeat(70),
    `${"y".repeat(63)}😀z`,
    "😀😁",
    "𐌰𐌱",
    "\u{20000}\u{20001}",
  ),
  // Runs beyond ASCII with several words in them; a number of the maximum length; a run that is not indexed.
  fc.constantFrom("parse\u2014config", "token\u2026123456789", `user${"ß".repeat(60)}\u2014server`),
);
const line = fc
  .tuple(fc.array(word, { maxLength: 8 }), fc.constantFrom("", "\r"))
  .map(([words, end]) => words.join(" ").replaceAll(/[\r\n]/g, "") + end);
const name = word.map((text) => text.replaceAll(/\s/g, "")).filter((text) => text !== "");
const blank = fc.array(fc.constantFrom("", "  ", "\t"), { maxLength: 2 });

const symbol: fc.Arbitrary<SymbolFacts> = fc
  .record({
    name: fc.oneof(name, fc.constantFrom("Getting started", "revokeToken", "")),
    outer: fc.option(name, { nil: undefined }),
    kind: fc.constantFrom(...CHUNK_KINDS),
    startLine: fc.integer({ min: 1, max: 300 }),
    access: fc.constantFrom(...ACCESS_LEVELS),
    lines: fc.nat(400),
    comments: fc.nat(200),
  })
  .map(({ name: own, outer, kind, access, startLine, lines, comments }) => ({
    name: own,
    qualifiedName: outer === undefined ? own : `${outer}.${own}`,
    kind,
    access,
    startLine,
    endLine: startLine + lines,
    nameLine: startLine + Math.min(lines, comments),
  }));

/** Chunks that tile a text except for blank lines, and unrelated symbols. */
export const outlined: fc.Arbitrary<Outline & { readonly text: string }> = fc
  .record({
    parts: fc.array(
      fc.record({
        before: blank,
        lines: fc.array(line, { minLength: 1, maxLength: 5 }),
        symbol: fc.array(name, { maxLength: 2 }).map((names) => names.join(".")),
        names: fc.array(name, { maxLength: 3 }),
        kind: fc.constantFrom(...CHUNK_KINDS),
      }),
      { maxLength: 4 },
    ),
    after: blank,
    symbols: fc.array(symbol, { maxLength: 4 }),
  })
  .map(({ parts, after, symbols }) => {
    const chunks: ChunkFacts[] = [];
    const lines: string[] = [];
    for (const { before, lines: own, ...facts } of parts) {
      lines.push(...before);
      chunks.push({ startLine: lines.length + 1, endLine: lines.length + own.length, ...facts });
      lines.push(...own);
    }
    return { chunks, symbols, text: [...lines, ...after].join("\n") };
  });

const facts = fc.record({
  folder: name.map((part) => part.replaceAll("\0", "").toWellFormed()),
  language: fc.constantFrom("typescript", "markdown", ""),
  role: fc.constantFrom(...FILE_ROLES),
  flags: fc.integer({ min: 0, max: 7 }),
  isFinal: fc.boolean(),
});

const expression = fc.constantFrom("", "?", "#3", "@Session", "@Map*[].größe", "log", "😀()");
const use: fc.Arbitrary<Use> = fc.record({
  name: name.map((text) => text.toWellFormed()),
  line: fc.integer({ min: 1, max: 100_000 }),
  role: fc.constantFrom(...USE_ROLES),
  owner: fc.integer({ min: -1, max: 300 }),
  target: fc.integer({ min: -1, max: 300 }),
  receiver: expression,
  binding: fc.integer({ min: -1, max: 300 }),
});
const binding = fc.record({
  name: fc.constantFrom("*", "default", "open", "größe"),
  local: fc.constantFrom("", "open", "start"),
});
const imported: fc.Arbitrary<Import> = fc.record({
  line: fc.integer({ min: 1, max: 1000 }),
  module: fc.constantFrom(
    "../base/log.ts",
    "a.b.C",
    "crate::log",
    "sys/types.h",
    "",
    "App\\Models",
  ),
  bindings: fc.array(binding, { maxLength: 3 }),
  isWildcard: fc.boolean(),
  isReexport: fc.boolean(),
});

/** The uses formed by the names after imports. */
function boundBy(imports: readonly Import[]): readonly Use[] {
  return imports.flatMap(({ line: at, bindings }, number) =>
    bindings.map((one, below) => ({
      name: one.name,
      line: at + below,
      role: "import" as const,
      owner: -1,
      target: -1,
      receiver: "",
      binding: number,
    })),
  );
}

/** The uses of files, in the order of reading back. */
export const references: fc.Arbitrary<FileReferences> = fc
  .record({
    uses: fc.array(use, { maxLength: 12 }),
    imports: fc.array(imported, { maxLength: 4 }),
    types: fc.array(expression, { maxLength: 5 }),
    package: fc.constantFrom("", "a.b"),
  })
  .map(({ uses, types, ...rest }) => ({
    ...rest,
    uses: [...Map.groupBy([...uses, ...boundBy(rest.imports)], ({ name: used }) => used)]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, ofName]) => ofName.toSorted((one, other) => one.line - other.line))
      .toSorted((one, other) => one.line - other.line),
    types: types.slice(0, types.findLastIndex((type) => type !== "") + 1),
  }));

/** Files with different paths, in no particular order. */
export function someFiles(maxLength: number): fc.Arbitrary<readonly FileInput[]> {
  return fc.array(fc.tuple(outlined, facts, references), { maxLength }).map((all) =>
    all.map(([{ text, ...outline }, { folder, ...rest }, used], at) => ({
      references: used,
      path: `src/${folder}/File${at}.ts`,
      bytes: Buffer.from(text),
      ...rest,
      ...outline,
    })),
  );
}
