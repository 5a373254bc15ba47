import { join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../../../src/base/errors.ts";
import type { IndexReader } from "../../../../src/index/port.ts";
import { Catalog } from "../../../../src/index/embedded/catalog/catalog.ts";
import { EmbeddedReader } from "../../../../src/index/embedded/reader.ts";
import { SnapshotSource } from "../../../../src/index/embedded/snapshot.ts";
import { SECTIONS, type SectionName } from "../../../../src/index/embedded/segment/format.ts";
import { literal } from "../../../../src/index/literal-query.ts";
import { SegmentReader } from "../../../../src/index/embedded/segment/segment-reader.ts";
import { faultyStorage, type Fault } from "../../../../src/index/embedded/storage/storage-fault.ts";
import {
  memoryFile,
  memoryStorage,
} from "../../../../src/index/embedded/storage/storage-memory.ts";
import { pathsWith } from "../../../engine/fixtures/check-index.ts";
import { WEIGHTS } from "../../../engine/fixtures/weights.ts";
import { FILES, segmentBytes } from "../../../engine/fixtures/whole-segment.ts";
import { questionOf, SMALL } from "../../../helpers/vectors.ts";
import { tree } from "../../../helpers/tree.ts";

const NAME = "s";

const WHOLE = segmentBytes();

const { directory: DIRECTORY } = new SegmentReader(memoryFile(WHOLE, NAME), NAME);

/** Queries that cover the whole index. */
const QUERIES: Readonly<Record<string, (reader: IndexReader) => Promise<unknown>>> = {
  "a common word": (reader) => pathsWith(reader, "token"),
  "rare words": (reader) => pathsWith(reader, "rare3", "shared7", "name12x4"),
  "a meaning": async (reader) => {
    const vector = questionOf("rare function token", SMALL);
    const query = { terms: new Map(), vector, weights: WEIGHTS, limit: 20 };
    const { files, maxSimilarity } = await reader.candidates(query);
    return [maxSimilarity, files.map(({ file, score }) => [file.path, score])];
  },
  "corpus statistics": async (reader) => {
    const { code, languages } = await reader.corpusStats();
    return [code, ...languages];
  },
  "a symbol": (reader) => reader.symbolsNamed("name7x3", 9),
  "another symbol": (reader) => reader.symbolsNamed("NAME31X19", 9),
  "names that begin so": (reader) => reader.symbolNames("name3", 50),
  "uses of a name": (reader) => reader.usesOf("name8x3"),
  "files that use a name": (reader) => reader.usingFiles("name21x9"),
  importers: (reader) => reader.importersOf("file12"),
  "a text": async (reader) => {
    const found: unknown[] = [];
    for await (const file of reader.textCandidates(literal("rare5; }"), {})) found.push(file);
    return found;
  },
  "any text": async (reader) => {
    const found: unknown[] = [];
    for await (const file of reader.textCandidates({ kind: "all" }, {})) found.push(file);
    return found;
  },
};

/**
 * Runs every query on an index with only this segment, with faults. The catalogue is the same for all, and undamaged.
 */
async function answers(
  catalog: Catalog,
  faults: readonly Fault[],
  segment: Uint8Array = WHOLE,
): Promise<Readonly<Record<string, unknown>>> {
  const storage = memoryStorage();
  storage.write(NAME, [segment]);
  const found: Record<string, unknown> = {};
  for (const [query, run] of Object.entries(QUERIES)) {
    // Each query reads a newly opened segment.
    const source = new SnapshotSource(catalog, faultyStorage(storage, faults));
    try {
      // oxlint-disable-next-line no-await-in-loop -- one query after the other
      found[query] = JSON.stringify(await run(new EmbeddedReader(catalog, source, {})));
    } catch (thrown) {
      if (!(thrown instanceof SvcError) || thrown.hint === undefined) throw thrown;
      found[query] = thrown.code;
    } finally {
      source.close();
    }
  }
  return found;
}

/** The catalogue of an index, which lists this segment. */
function indexed(): Catalog {
  const { path, dispose } = tree();
  const file = join(path, "catalog.db");
  const written = Catalog.openToWrite(file);
  written.publish(
    () => void written.segments.add({ name: NAME, files: FILES, bytes: WHOLE.length }, null),
  );
  written.close();
  const catalog = Catalog.openToRead(file);
  if (catalog === undefined) throw new Error("there is no catalogue");
  onTestFinished(() => {
    catalog.close();
    dispose();
  });
  return catalog;
}

function partAt(offset: number): SectionName | "directory" | "padding" {
  const name = SECTIONS.find((section) => {
    const [start, length] = DIRECTORY.sections[section];
    return offset >= start && offset < start + length;
  });
  if (name !== undefined) return name;
  // After the sections are the page checksums, which are also read on opening.
  return offset >= DIRECTORY.pageSums[0] ? "directory" : "padding";
}

const flip = fc.record({
  flips: fc.oneof(
    fc.integer({ min: 0, max: WHOLE.length - 1 }),
    // Small sections are hit as often as large ones.
    ...SECTIONS.map((section) => {
      const [start, length] = DIRECTORY.sections[section];
      return fc.integer({ min: start, max: start + length - 1 });
    }),
  ),
  mask: fc.integer({ min: 1, max: 255 }),
});

/** Results that are neither right nor INDEX_UNAVAILABLE. */
function wrong(
  found: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys(found).filter(
    (query) => found[query] !== right[query] && found[query] !== "INDEX_UNAVAILABLE",
  );
}

/** The damaged parts that verify returns, or INDEX_UNAVAILABLE if opening fails. */
function damagedParts(fault: Fault): readonly string[] | "INDEX_UNAVAILABLE" {
  const storage = memoryStorage();
  storage.write(NAME, [WHOLE]);
  try {
    const file = faultyStorage(storage, [fault]).open(NAME);
    return new SegmentReader(file, NAME).damagedParts();
  } catch (thrown) {
    if (thrown instanceof SvcError && thrown.hint !== undefined) return "INDEX_UNAVAILABLE";
    throw thrown;
  }
}

test("a flipped byte gives the right result or INDEX_UNAVAILABLE, and verify names the section", async () => {
  const catalog = indexed();
  const right = await answers(catalog, []);
  expect(Object.values(right)).not.toContain("INDEX_UNAVAILABLE");
  await fc.assert(
    fc.asyncProperty(flip, async ({ flips, mask }) => {
      const fault: Fault = { on: "read", flips, mask };
      expect(wrong(await answers(catalog, [fault]), right)).toEqual([]);
      const named = damagedParts(fault);
      // Damage in parts that are read on opening makes opening fail.
      if (named !== "INDEX_UNAVAILABLE") {
        // oxlint-disable-next-line vitest/no-conditional-expect -- the other case is right as it is
        expect(named).toEqual([partAt(flips)]);
      }
    }),
    { numRuns: 240 },
  );
}, 60_000);

test("damaged ranges never give a wrong result, a crash or an endless query", async () => {
  const catalog = indexed();
  const right = await answers(catalog, []);
  const stretch = fc.record({
    section: fc.constantFrom(...SECTIONS),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.constantFrom(4, 64, 512, 4096),
    fill: fc.constantFrom(0x00, 0x7f, 0x80, 0xff, undefined),
  });
  await fc.assert(
    fc.asyncProperty(stretch, async ({ section, at, length, fill }) => {
      const [start, size] = DIRECTORY.sections[section];
      const from = start + Math.floor(at * size);
      const to = Math.min(from + length, start + size);
      const damaged = Uint8Array.from(WHOLE);
      for (let offset = from; offset < to; offset += 1) {
        const byte = WHOLE[offset] ?? 0;
        damaged[offset] = fill ?? (byte * 167 + (offset - from) * 13 + 41) & 0xff;
      }
      expect(wrong(await answers(catalog, [], damaged), right)).toEqual([]);
    }),
    { numRuns: 150 },
  );
}, 60_000);

test("a failed read or a truncated file is INDEX_UNAVAILABLE or has no effect", async () => {
  const catalog = indexed();
  const right = await answers(catalog, []);
  const faults: Fault[] = [
    ...Array.from({ length: 30 }, (_, at): Fault => ({ on: "read", nth: at + 1, fails: "EIO" })),
    ...Array.from({ length: 30 }, (_, at): Fault => ({ on: "read", nth: at + 1, cutsTo: 100 })),
    ...[0, 1, 19, 20, 0.3, 0.5, 0.9, 0.999].map((share): Fault => ({
      on: "open",
      cutsTo: share < 1 ? Math.floor(WHOLE.length * share) : share,
    })),
    { on: "open", fails: "EACCES" },
  ];
  for (const fault of faults) {
    // oxlint-disable-next-line no-await-in-loop -- one fault after the other
    const found = await answers(catalog, [fault]);
    const seen = new Set(Object.values(found));
    expect([fault, wrong(found, right)]).toEqual([fault, []]);
    // A failure on opening fails every query.
    expect(fault.on === "open" ? [...seen] : ["INDEX_UNAVAILABLE"]).toEqual(["INDEX_UNAVAILABLE"]);
  }
}, 60_000);
