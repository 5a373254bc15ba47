import * as fc from "fast-check";
import { expect, test } from "vitest";

import { batches, batchSizeFor, MIN_BATCH_SIZE } from "../../../scripts/embeddings/batches.ts";
import type { Bags, Examples } from "../../../scripts/embeddings/examples.ts";
import { NumberLists } from "../../../scripts/embeddings/number-lists.ts";
import { permutation, randomFrom } from "../../../scripts/embeddings/random.ts";
import { randomTable, train } from "../../../scripts/embeddings/trainer.ts";
import type { Matrix } from "../../../scripts/embeddings/vectors.ts";

const ROWS = 40;
const DIMENSIONS = 16;
const SCALE = 20;

function bagsOf(bags: readonly ReadonlyMap<number, number>[]): Bags {
  const result: Bags = { rows: new NumberLists(), counts: new NumberLists() };
  for (const bag of bags) {
    result.rows.add([...bag.keys()]);
    result.counts.add([...bag.values()]);
  }
  return result;
}

/** Examples of some rows each; query and answer share none. */
function examples(count: number): Examples {
  const random = randomFrom(5);
  const half = ROWS / 2;
  const bags = (first: number): Bags =>
    bagsOf(
      Array.from({ length: count }, (_, index) => {
        const own = first + (index % half);
        const other = first + Math.floor(random() * half);
        return new Map([
          [own, 2],
          [other, 1],
        ]);
      }),
    );
  return { questions: bags(0), answers: bags(half), packages: new Int32Array(count) };
}

function table(): Matrix {
  return randomTable(new Float64Array(ROWS).fill(1 / ROWS), DIMENSIONS, 3);
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** The symmetric InfoNCE loss of all examples as one batch, straight from its definition. */
function lossOf({ rows }: Matrix, { questions, answers, packages }: Examples): number {
  const vectorsOf = (bags: Bags): number[][] =>
    Array.from(packages, (_, example) => {
      const vector = Array.from({ length: DIMENSIONS }, () => 0);
      for (const [at, row] of bags.rows.at(example).entries()) {
        const weight = 1 + Math.log(bags.counts.at(example)[at] ?? 1);
        for (const [d, value] of (rows[row] ?? []).entries()) {
          vector[d] = (vector[d] ?? 0) + weight * value;
        }
      }
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    });
  const [requested, given] = [vectorsOf(questions), vectorsOf(answers)];
  const exponents = requested.map((one) =>
    given.map((other) => Math.exp(SCALE * sum(one.map((x, d) => x * (other[d] ?? 0))))),
  );
  const losses = exponents.map((row, index) => {
    const right = row[index] ?? 0;
    const column = exponents.map((each) => each[index] ?? 0);
    return -0.5 * (Math.log(right / sum(row)) + Math.log(right / sum(column)));
  });
  return sum(losses) / losses.length;
}

test("the first step goes against the gradient of the loss, in every number of the table", () => {
  const learned = examples(MIN_BATCH_SIZE);
  const before = table();
  const after = table();
  train(after, learned, { epochs: 1, seed: 1 });
  const step = 1e-3;
  let checked = 0;
  for (let place = 0; place < before.values.length; place += 7) {
    const kept = before.values[place] ?? 0;
    const lossAt = (value: number): number => {
      before.values[place] = value;
      return lossOf(before, learned);
    };
    const slope = (lossAt(kept + step) - lossAt(kept - step)) / (2 * step);
    before.values[place] = kept;
    if (Math.abs(slope) < 1e-3) continue;
    // The first step of Adam is as long as the rate, for any gradient.
    expect((after.values[place] ?? 0) - kept).toBeCloseTo(-0.01 * Math.sign(slope), 4);
    checked += 1;
  }
  expect(checked).toBeGreaterThan(50);
});

test("the reported loss is the loss of the batch, and it falls", () => {
  const learned = examples(MIN_BATCH_SIZE);
  const trained = table();
  const expected = lossOf(trained, learned);
  const losses: number[] = [];
  train(trained, learned, { epochs: 60, seed: 1, onStep: ({ loss }) => losses.push(loss) });
  expect(losses).toHaveLength(60);
  expect(losses[0]).toBeCloseTo(expected, 3);
  expect(losses.at(-1)).toBeLessThan(expected / 2);
});

test("training depends only on the seed", () => {
  const learned = examples(4 * MIN_BATCH_SIZE);
  const values = [1, 1, 2].map((seed) => {
    const trained = table();
    train(trained, learned, { epochs: 2, seed });
    return trained.values;
  });
  expect(values[0]).toEqual(values[1]);
  expect(values[0]).not.toEqual(values[2]);
});

const packageNumbers = fc
  .array(fc.nat({ max: 4 }), { minLength: 64, maxLength: 2000 })
  .map((numbers) => Int32Array.from(numbers).toSorted());

test("an epoch has no example twice, and omits less than a block of each package and a batch", () => {
  fc.assert(
    fc.property(packageNumbers, fc.nat(), (packages, seed) => {
      const size = batchSizeFor(packages.length);
      const all = [...batches(packages, size, randomFrom(seed))];
      const seen = all.flatMap((batch) => [...batch]);
      expect(all.every((batch) => batch.length === size)).toBe(true);
      expect(new Set(seen).size).toBe(seen.length);
      expect(packages.length - seen.length).toBeLessThan(64 + size);
    }),
  );
});

test("blocks of a batch come from one package wherever it has enough", () => {
  const packages = Int32Array.from({ length: 640 }, (_, index) => Math.floor(index / 128));
  for (const batch of batches(packages, 128, randomFrom(1))) {
    for (const block of [batch.subarray(0, 64), batch.subarray(64)]) {
      expect(new Set(Array.from(block, (example) => packages[example])).size).toBe(1);
    }
  }
});

test.each([
  [64, 64],
  [10_000, 192],
  [1_000_000, 1024],
])("%i examples are learned in batches of %i", (count, size) => {
  expect(batchSizeFor(count)).toBe(size);
});

test("a permutation has each number once", () => {
  fc.assert(
    fc.property(fc.nat({ max: 500 }), fc.nat(), (count, seed) => {
      const order = permutation(count, randomFrom(seed));
      expect([...order].toSorted((a, b) => a - b)).toEqual([...Array(count).keys()]);
    }),
  );
});

test("lists come back as they were added", () => {
  const lists = fc.array(fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { maxLength: 30 }));
  fc.assert(
    fc.property(lists, (added) => {
      const kept = new NumberLists();
      for (const list of [...added, Array.from({ length: 70_000 }, () => 1), ...added])
        kept.add(list);
      expect(kept.length).toBe(2 * added.length + 1);
      for (const [index, list] of added.entries()) {
        expect([...kept.at(index)]).toEqual(list);
        expect([...kept.at(added.length + 1 + index)]).toEqual(list);
      }
    }),
    { numRuns: 20 },
  );
});
