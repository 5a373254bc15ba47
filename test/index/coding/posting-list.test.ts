import * as fc from "fast-check";
import { expect, test } from "vitest";

import { ByteWriter } from "../../../src/index/coding/bytes.ts";
import { eachPosting, postingListOf } from "../../../src/index/coding/posting-list.ts";
import { TermPool } from "../../../src/index/embedded/segment/term-pool.ts";

const postings = fc
  .uniqueArray(fc.nat(200_000), { maxLength: 60 })
  .chain((documents) =>
    fc.tuple(
      fc.constant(documents.toSorted((one, other) => one - other)),
      fc.array(fc.constantFrom(1, 1, 2, 254, 255), {
        minLength: documents.length,
        maxLength: documents.length,
      }),
    ),
  )
  .map(([documents, frequencies]) =>
    documents.map((document, at) => [document, frequencies[at] ?? 1] as const),
  );

test("a list is read back, and has the bytes that a segment stores", () => {
  fc.assert(
    fc.property(postings, (all) => {
      const list = postingListOf(all);
      const read: (readonly [number, number])[] = [];
      eachPosting(list, (document, frequency) => read.push([document, frequency]));
      expect(read).toEqual(all);
      const pool = new TermPool();
      for (const [document, frequency] of all) pool.add(0, document, frequency);
      const stored = new ByteWriter();
      expect(pool.copy(0, stored)).toBe(list.count);
      expect([...list.bytes]).toEqual([...stored.finish()]);
    }),
    { numRuns: 200 },
  );
});

test("frequencies are capped at 255, and a list stays valid after later calls", () => {
  const list = postingListOf([[3, 1000]]);
  postingListOf([[9, 1]]);
  const read: number[] = [];
  eachPosting(list, (document, frequency) => read.push(document, frequency));
  expect(read).toEqual([3, 255]);
});
