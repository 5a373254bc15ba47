import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { EmbeddingSource } from "../../../../src/embed/embedding-source.ts";
import { TERM_FIELDS } from "../../../../src/index/embedded/segment/format.ts";
import { foldText } from "../../../../src/index/fold-text.ts";
import { literal } from "../../../../src/index/literal-query.ts";
import { mergeSegments } from "../../../../src/index/embedded/segment/merge.ts";
import type { SegmentReader } from "../../../../src/index/embedded/segment/segment-reader.ts";
import type { FileInput } from "../../../../src/index/types.ts";
import { postingsOf, readerOf, segmentOf, someFiles, textFile } from "../../../helpers/segments.ts";
import { SMALL, smallEmbeddings, vectorsIn, vectorsOf } from "../../../helpers/vectors.ts";

interface Input {
  readonly file: FileInput;
  readonly isDead: boolean;
}

/** Merges several segments without deleted files; the vectors of each are from one of `sources`. */
function call(
  inputs: readonly (readonly Input[])[],
  sources: readonly (EmbeddingSource | undefined)[] = [SMALL],
): SegmentReader {
  return readerOf(
    mergeSegments(
      inputs.map((input, at) => ({
        reader: segmentOf(
          input.map(({ file }) => file),
          sources[at % sources.length],
          { ahead: true },
        ),
        tombstones: Uint8Array.from(input, ({ isDead }) => Number(isDead)),
      })),
      SMALL.id,
    ),
  );
}

/** All content of a segment, except the exact sum of the lengths of names. */
function contentOf(reader: SegmentReader, texts: readonly string[]): unknown {
  const { files, chunks, symbols, terms, totals, codedNames } = reader.directory;
  const ordinals = Array.from({ length: files }, (_, at) => at);
  return {
    counts: { files, chunks, symbols, terms, body: totals.body, codedNames },
    files: ordinals.map((file) => ({ ...reader.file(file), ...reader.outline(file) })),
    lengths: [...reader.column("length")],
    codes: [[...reader.bodyCodes()], [...reader.namesCodes()]],
    owners: [...reader.filesOfChunks()],
    ownersOfSymbols: Array.from({ length: symbols }, (_, at) => reader.fileOfSymbol(at)),
    pathOrder: [...reader.pathOrder()],
    postings: [...reader.dictionary.entries()].map(({ term, counts }) => [
      term,
      counts,
      TERM_FIELDS.map((field) => postingsOf(reader, field, term)),
    ]),
    embedder: reader.directory.embedder,
    vectorCount: reader.directory.vectorCount,
    vectors: ordinals.map((file) => vectorsIn(reader, file)),
    references: ordinals.map((file) => [...reader.referenceBytes(file)]),
    fingerprints: ordinals.map((file) => [...reader.fingerprints(file)]),
    trigrams: texts.map((text) => reader.trigrams.candidates(literal(foldText(text)))),
  };
}

const input: fc.Arbitrary<Input> = fc
  .tuple(someFiles(1), fc.boolean())
  .map(([files, isDead]) => ({ file: files[0] ?? textFile("none", [], { chunks: [] }), isDead }));
const inputs = fc.array(fc.array(input, { maxLength: 5 }), { maxLength: 4 }).map((parts) =>
  parts.map((part, at) =>
    part.map(({ file, isDead }, within) => {
      return { file: { ...file, path: `part${at}/${within}/${file.path}` }, isDead };
    }),
  ),
);

test("a merged segment equals a new segment of the live files", () => {
  fc.assert(
    fc.property(inputs, (parts) => {
      const merged = call(parts);
      const live = parts.flatMap((part) =>
        part.flatMap(({ file, isDead }) => (isDead ? [] : file)),
      );
      const fresh = segmentOf(live, SMALL);
      const texts = ["parseConfig", "HTTPServer", "Größe", "設定値", "xxxx", "nowhere"];
      texts.push(...live.flatMap(({ bytes }) => bytes.toString().split(/\s+/).slice(0, 3)));
      expect(contentOf(merged, texts)).toEqual(contentOf(fresh, texts));
      expect(merged.damagedSections()).toEqual([]);
      // The exact lengths of names are not stored.
      const [sum, exact] = [merged.directory.totals.names, fresh.directory.totals.names];
      expect(Math.abs(sum - exact)).toBeLessThanOrEqual(exact * 0.05);
    }),
    { numRuns: 60 },
  );
});

test("merging in steps equals merging at once", () => {
  fc.assert(
    fc.property(inputs, inputs, (one, other) => {
      const renamed = other.map((part) =>
        part.map(({ file, isDead }) => ({ file: { ...file, path: `other/${file.path}` }, isDead })),
      );
      const [first, second] = [call(one), call(renamed)];
      const stepwise = readerOf(
        mergeSegments(
          [first, second].map((reader) => ({ reader, tombstones: new Uint8Array(reader.files) })),
          SMALL.id,
        ),
      );
      expect(contentOf(stepwise, [])).toEqual(contentOf(call([...one, ...renamed]), []));
    }),
    { numRuns: 15 },
  );
});

const OTHER = smallEmbeddings("other", 2);

test("a merge keeps only the vectors of one table and of live files", () => {
  const sources = fc.array(fc.constantFrom(SMALL, OTHER, undefined), {
    minLength: 4,
    maxLength: 4,
  });
  fc.assert(
    fc.property(inputs, sources, (parts, ofParts) => {
      const merged = call(parts, ofParts);
      const wanted = parts.flatMap((part, at) =>
        part.flatMap(({ file, isDead }) =>
          isDead ? [] : [ofParts[at] === SMALL ? vectorsOf(file, SMALL) : []],
        ),
      );
      expect(wanted.map((_, file) => vectorsIn(merged, file))).toEqual(wanted);
      const count = wanted.flat().length;
      expect(merged.directory).toMatchObject({ embedder: SMALL.id, vectorCount: count });
      expect(merged.vectorsLength).toBe(32 * count);
      expect(merged.damagedSections()).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

const FILES = ["alpha", "beta", "gamma"].map((word) => textFile(`${word}.txt`, [word, "common"]));

test("rewriting one segment without deleted files keeps the content of the others", () => {
  const reader = call([FILES.map((file, at) => ({ file, isDead: at === 1 }))]);
  expect([0, 1].map((at) => reader.path(at))).toEqual(["alpha.txt", "gamma.txt"]);
  expect(postingsOf(reader, "body", "common")).toEqual([
    [0, 1],
    [1, 1],
  ]);
  expect(postingsOf(reader, "body", "gamma")).toEqual([[1, 1]]);
  expect(reader.dictionary.lookup("beta")).toBeUndefined();
  expect([...(reader.trigrams.candidates(literal("beta")) ?? [-1])]).toEqual([]);
});

test.each<[string, readonly (readonly Input[])[]]>([
  ["no segments", []],
  ["segments without files", [[], []]],
  ["a segment without live files", [FILES.map((file) => ({ file, isDead: true }))]],
])("%s become a segment without files", (_, parts) => {
  const reader = call(parts);
  expect(contentOf(reader, ["common"])).toEqual(contentOf(segmentOf([], SMALL), ["common"]));
  expect(reader.directory.totals).toEqual({ body: 0, names: 0 });
});

function inLanguage(path: string, language: string): Input {
  return { file: textFile(path, ["text"], { language }), isDead: false };
}

test("files keep their languages", () => {
  const reader = call([
    [inLanguage("a", "go"), inLanguage("b", "")],
    [inLanguage("c", "rust"), inLanguage("d", "go")],
  ]);
  expect([0, 1, 2, 3].map((at) => reader.file(at).language)).toEqual(["go", "", "rust", "go"]);
});
