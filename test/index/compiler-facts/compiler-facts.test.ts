import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  decodeCompilerFacts,
  encodeCompilerFacts,
} from "../../../src/index/compiler-facts/compiler-facts.ts";
import { ACCESS_LEVELS, CHUNK_KINDS } from "../../../src/index/types.ts";
import { USE_ROLES } from "../../../src/parse/references/references.ts";

const text = fc.string({ unit: "grapheme" });
const line = fc.integer({ min: 1, max: 100_000 });
const target = fc.record({ path: text, qualifiedName: text, name: text });
const facts = fc.record({
  definitions: fc.array(
    fc.record({
      name: text,
      qualifiedName: text,
      kind: fc.constantFrom(...CHUNK_KINDS),
      access: fc.constantFrom(...ACCESS_LEVELS),
      startLine: line,
      endLine: line,
      nameLine: line,
    }),
  ),
  uses: fc
    .array(
      fc.record({
        line,
        text,
        role: fc.constantFrom(...USE_ROLES),
        target: fc.oneof(fc.constantFrom("outside" as const, "local" as const), target),
      }),
    )
    .map((uses) => uses.toSorted((one, other) => one.line - other.line)),
  relations: fc.array(fc.record({ owner: text, target })),
});

test("facts are decoded as they were encoded", () => {
  fc.assert(
    fc.property(facts, (one) => {
      expect(decodeCompilerFacts(encodeCompilerFacts(one))).toEqual(one);
    }),
  );
});

test("other bytes are no facts, and damaged ones do not end in an error", () => {
  expect(decodeCompilerFacts(Buffer.from("text"))).toBeUndefined();
  expect(decodeCompilerFacts(Buffer.alloc(0))).toBeUndefined();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (rest) => {
      const read = decodeCompilerFacts(Buffer.concat([Buffer.from([1]), rest]));
      expect(read?.uses.length ?? 0).toBeLessThanOrEqual(rest.length);
    }),
  );
});
