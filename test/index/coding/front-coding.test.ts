import * as fc from "fast-check";
import { expect, test } from "vitest";

import { ByteReader, ByteWriter } from "../../../src/index/coding/bytes.ts";
import {
  PassedTexts,
  readFrontCoded,
  skipFrontCoded,
  SortedTextSearch,
  writeFrontCoded,
} from "../../../src/index/coding/front-coding.ts";

const part = fc.constantFrom("a", "b", "ab", "Session.", "é", "z", "😀", "😁", "\u{ff5e}");
const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(""));

/** A reader of these texts. */
function readerOf(texts: readonly string[]): ByteReader {
  const writer = new ByteWriter();
  let previous = "";
  for (const one of texts) previous = writeFrontCoded(writer, previous, one);
  return new ByteReader(writer.finish());
}

test("texts are read back, and passed texts are read when they are wanted after all", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.boolean()), { maxLength: 30 }), (all) => {
      const texts = all.map(([one]) => one);
      const from = readerOf(texts);
      let previous = "";
      for (const one of texts) {
        previous = readFrontCoded(from, previous);
        expect(previous).toBe(one);
      }
      const again = readerOf(texts);
      const passed = new PassedTexts(again);
      expect(passed.last()).toBe("");
      for (const [one, isWanted] of all) {
        passed.pass();
        const { position } = again;
        expect(isWanted ? passed.last() : one).toBe(one);
        expect(again.position).toBe(position);
      }
      expect(again.left).toBe(0);
      const skipped = readerOf(texts);
      for (let left = texts.length; left > 0; left -= 1) skipFrontCoded(skipped);
      expect(skipped.left).toBe(0);
    }),
    { numRuns: 500 },
  );
});

test("a sorted text is found, and each other one is before or after it", () => {
  let searches = 0;
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 20 }), text, (texts, wanted) => {
      const sorted = texts.toSorted();
      const search = SortedTextSearch.for(wanted);
      expect(search === undefined).toBe(/[^\0-\x7f]/.test(wanted));
      if (search === undefined) return;
      searches += 1;
      const from = readerOf(sorted);
      for (const one of sorted) {
        const order = search.next(from);
        expect(Math.sign(order)).toBe(one === wanted ? 0 : one < wanted ? -1 : 1);
        if (order >= 0) return;
      }
      expect(from.left).toBe(0);
    }),
    { numRuns: 2000 },
  );
  expect(searches).toBeGreaterThan(100);
});
