import * as fc from "fast-check";
import { expect, test } from "vitest";

import { LiveDocuments } from "../../../src/index/scoring/live-documents.ts";
import { documentsOf, segmentOf, textFile } from "../../helpers/segments.ts";

const WORDS = ["alpha", "beta", "gamma"] as const;
const FIELDS = ["body", "names", "path"] as const;

const someFiles = fc.array(
  fc.record({
    words: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }),
    name: fc.constantFrom(...WORDS, "other"),
    isDeleted: fc.boolean(),
  }),
  // Long lists are packed.
  { minLength: 1, maxLength: 90, size: "max" },
);

test("the documents of each term are those of the files that are left", () => {
  fc.assert(
    fc.property(someFiles, (all) => {
      const files = all.map(({ words, name }, at) => {
        const chunks = words.map((word, line) => {
          const place = { startLine: line + 1, endLine: line + 1 };
          return { ...place, symbol: "", names: [word], kind: "text" as const };
        });
        return textFile(`f${at}/${name}.ts`, words, { chunks });
      });
      const reader = segmentOf(files);
      const tombstones = Uint8Array.from(all, ({ isDeleted }) => Number(isDeleted));
      const live = new LiveDocuments(reader, tombstones);
      const left = files.filter((_, at) => tombstones[at] === 0);
      for (const word of WORDS) {
        const entry = reader.dictionary.lookup(word);
        const expected = FIELDS.map(
          (field) => documentsOf(left, field).filter((terms) => terms.has(word)).length,
        );
        const counted = entry && live.documentsOf(entry);
        expect(FIELDS.map((field) => counted?.[field] ?? 0)).toEqual(expected);
        // As a stored count.
        expect(entry && live.documentsOf(entry)).toEqual(counted);
      }
    }),
    { numRuns: 60 },
  );
});

function unread(): never {
  throw new Error("a list was read");
}

test("nothing is read if no file is deleted", () => {
  const reader = segmentOf([textFile("a.txt", ["alpha"])]);
  const live = new LiveDocuments(reader, new Uint8Array(1));
  const entry = { term: "alpha", counts: [1, 2, 3] };
  expect(live.documentsOf(entry, unread)).toEqual({ body: 1, names: 2, path: 3 });
  expect(live.filesIn(5, unread)).toBe(5);
  expect(live.symbolsIn(5, { list: unread, starts: unread, size: 9 })).toBe(5);
});
