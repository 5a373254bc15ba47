import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  cosineFactor,
  quantizeQuery,
  quantizeStored,
  vectorBytes,
} from "../../src/embed/quantize.ts";

/** The components of a stored vector. */
function stored(sums: Float32Array): number[] {
  const bytes = new Uint8Array(vectorBytes(sums.length));
  quantizeStored(sums, bytes, 0);
  return Array.from({ length: sums.length }, (_, at) => {
    const nibble = ((bytes[at >> 1] ?? 0) >> (at % 2 === 0 ? 0 : 4)) & 15;
    return nibble > 7 ? nibble - 16 : nibble;
  });
}

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [dot, a, b] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    dot += (one[at] ?? 0) * (other[at] ?? 0);
    a += (one[at] ?? 0) ** 2;
    b += (other[at] ?? 0) ** 2;
  }
  return dot / Math.sqrt(a * b);
}

test.each([
  [1, 16],
  [32, 16],
  [33, 32],
  [256, 128],
])("a vector of %i components takes %i bytes", (dimensions, bytes) => {
  expect(vectorBytes(dimensions)).toBe(bytes);
});

test("a vector of zeros stays one, and the bytes after the last component are zero", () => {
  const bytes = new Uint8Array(48).fill(255);
  quantizeStored(new Float32Array(2), bytes, 16);
  expect([...bytes.subarray(16, 32)]).toEqual(Array.from({ length: 16 }, () => 0));
  expect([bytes[15], bytes[32]]).toEqual([255, 255]);
  expect([...quantizeQuery(new Float32Array(3))]).toEqual([0, 0, 0]);
  expect(cosineFactor(new Int8Array(3))).toBe(0);
});

test("a place that is too short is refused", () => {
  expect(() => quantizeStored(new Float32Array(40), new Uint8Array(40), 16)).toThrow(RangeError);
});

test("the length of a vector does not matter, and its direction is kept", () => {
  const component = fc.integer({ min: -1000, max: 1000 }).map((value) => value / 1000);
  const vectors = fc
    .array(component, { minLength: 128, maxLength: 128 })
    .filter((values) => values.filter((value) => Math.abs(value) > 0.1).length > 64);
  fc.assert(
    fc.property(vectors, fc.constantFrom(0.001, 3, 5000), (values, length) => {
      const sums = Float32Array.from(values);
      const longer = sums.map((value) => value * length);
      expect(cosine(stored(sums), sums)).toBeGreaterThan(0.97);
      expect(cosine(quantizeQuery(sums), sums)).toBeGreaterThan(0.999);
      expect(cosine(stored(longer), stored(sums))).toBeGreaterThan(0.999);
      const query = quantizeQuery(sums);
      const dot = stored(sums).reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
      expect(Math.abs(dot * cosineFactor(query) - 1)).toBeLessThan(0.1);
    }),
  );
});
