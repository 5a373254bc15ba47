import * as fc from "fast-check";
import { expect, test } from "vitest";

import { SegmentWriter } from "../../../src/index/embedded/segment/segment-writer.ts";
import { indexedContent } from "../../../src/index/memory/indexed-content.ts";
import { encodeReferences, isEncoded } from "../../../src/index/references/encoded-references.ts";
import { inUseOrder } from "../../../src/index/references/use-order.ts";
import type { EncodedFileInput, FileInput } from "../../../src/index/types.ts";
import { bytesOf, someFiles } from "../../helpers/segments.ts";

function segmentBytes(files: readonly (FileInput | EncodedFileInput)[]): Buffer {
  const writer = new SegmentWriter();
  for (const file of files) writer.add(file);
  return bytesOf(writer.finish());
}

/** All files are encoded before the first one is indexed, as in another thread. */
function encoded(files: readonly FileInput[]): readonly EncodedFileInput[] {
  return files.map((file) => ({ ...file, references: encodeReferences(file.references) }));
}

test("a segment is the same whether the references come encoded or not", () => {
  fc.assert(
    fc.property(someFiles(6), (files) => {
      expect(segmentBytes(encoded(files)).equals(segmentBytes(files))).toBe(true);
    }),
  );
});

test("the index in memory is the same whether the references come encoded or not", () => {
  fc.assert(
    fc.property(someFiles(3), (files) => {
      for (const [at, other] of encoded(files).entries()) {
        const file = files[at];
        if (file === undefined) throw new Error("one for each");
        expect([isEncoded(file.references), isEncoded(other.references)]).toEqual([false, true]);
        const [one, two] = [indexedContent(file, undefined), indexedContent(other, undefined)];
        expect(two.usedTerms).toEqual(one.usedTerms);
        expect(inUseOrder(two.references)).toEqual(inUseOrder(one.references));
      }
    }),
  );
});
