import { readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { TERM_FIELDS } from "../../../../src/index/embedded/segment/format.ts";
import { mergeSegments } from "../../../../src/index/embedded/segment/merge.ts";
import { SegmentReader } from "../../../../src/index/embedded/segment/segment-reader.ts";
import { memoryFile } from "../../../../src/index/embedded/storage/storage-memory.ts";
import { segmentBytes } from "../../../engine/fixtures/whole-segment.ts";
import { postingsOf, readerOf } from "../../../helpers/segments.ts";
import { SMALL } from "../../../helpers/vectors.ts";

/** The result of `segmentBytes` in format 12. */
const OLDER = zstdDecompressSync(
  readFileSync(join(import.meta.dirname, "fixtures/format-12.segment.zst")),
);

function opened(bytes: Uint8Array): SegmentReader {
  return new SegmentReader(memoryFile(bytes, "s"), "s");
}

function contentOf(reader: SegmentReader): unknown {
  const { files, totals, languages } = reader.directory;
  const ordinals = Array.from({ length: files }, (_, at) => at);
  const { lists } = reader.trigrams;
  const names = reader.nameTable();
  return {
    totals,
    languages,
    files: ordinals.map((file) => ({ ...reader.file(file), ...reader.outline(file) })),
    columns: (["firstChunk", "firstSymbol", "length", "firstVector"] as const).map((name) => [
      ...reader.column(name),
    ]),
    order: [...reader.pathOrder()],
    codes: [[...reader.bodyCodes()], [...reader.namesCodes()]],
    postings: [...reader.dictionary.entries()].map(({ term, counts }) => [
      term,
      counts,
      TERM_FIELDS.map((field) => postingsOf(reader, field, term)),
    ]),
    references: ordinals.map((file) => [...reader.referenceBytes(file)]),
    fingerprints: ordinals.map((file) => [...reader.fingerprints(file)]),
    trigrams: [...lists.places()].map((place) => [place.key, ...lists.decode(place)]),
    vectors: [...reader.vectors(0, reader.vectorsLength)],
    names: Array.from({ length: names.size }, (_, at) => [names.name(at), ...names.symbolsOf(at)]),
    terms: [...names.termsFrom("")].map((term) => [term.text, ...term.names()]),
    symbols: Array.from({ length: names.symbolCount }, (_, at) => [
      names.traitsOf(at),
      names.ownerText(names.ownerOf(at)),
    ]),
  };
}

test("a segment in format 12 has the content of one in the present format", () => {
  const older = opened(OLDER);
  const present = opened(segmentBytes());
  expect([older.directory.version, older.damagedParts()]).toEqual([12, []]);
  expect(contentOf(older)).toEqual(contentOf(present));
  // Some of its lists are now long enough to be packed.
  expect(older.dictionary.lookup("token")?.counts[0]).toBeGreaterThan(60);
});

test("a merge of segments in both formats has the content of both", () => {
  const inputs = [opened(OLDER), opened(segmentBytes())].map((reader) => ({
    reader,
    tombstones: new Uint8Array(reader.files),
  }));
  const twice = [inputs[1], inputs[1]].flatMap((input) => input ?? []);
  const merged = readerOf(mergeSegments(inputs, SMALL.id));
  expect(contentOf(merged)).toEqual(contentOf(readerOf(mergeSegments(twice, SMALL.id))));
});

test("damage in a part of format 12 is found", () => {
  const { sections } = opened(OLDER).directory;
  for (const name of ["filePaths", "fileColumns", "outlines"] as const) {
    const damaged = Uint8Array.from(OLDER);
    const at = sections[name]?.[0] ?? 0;
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(opened(damaged).damagedParts()).toEqual([name]);
  }
});
