import * as fc from "fast-check";
import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { parseOrder } from "../../src/providers/rerank-response.ts";
import { completion } from "../helpers/model-provider.ts";

function orderIn(content: unknown, count = 4): readonly number[] | string {
  return readOrDont(completion(content), count) ?? "PROVIDER_ERROR";
}

/** Undefined for a failure of the provider; any other failure is rethrown. */
function readOrDont(answer: unknown, count: number): readonly number[] | undefined {
  try {
    return parseOrder(answer, count);
  } catch (thrown) {
    if (thrown instanceof SvcError && thrown.code === "PROVIDER_ERROR") return undefined;
    throw thrown;
  }
}

test.each([
  ["the requested form", '{"order": [2, 0, 1, 3]}', [2, 0, 1, 3]],
  ["a fence around it", '```json\n{"order": [2, 0]}\n```', [2, 0]],
  ["words around it", 'Sure! {"order":[1]} Hope that helps [3].', [1]],
  ["the bare list", "[3, 1]", [3, 1]],
  ["the bare list in a fence", "```\n[3, 1]\n```", [3, 1]],
  ["numbers as texts", '{"order": ["2", "0"]}', [2, 0]],
  ["thoughts before it", '<think>{"order": [0]}? No.</think>\n{"order": [3]}', [3]],
  ["numbers twice", '{"order": [1, 1, 2, 1]}', [1, 2]],
  ["numbers that were not given", '{"order": [9, 4, 2, 99999999999999999999]}', [2]],
])("%s is parsed", (_what, content, order) => {
  expect(orderIn(content)).toEqual(order);
});

test.each([
  ["nothing", ""],
  ["an apology", "I cannot rank these passages."],
  ["an empty order", '{"order": []}'],
  ["only unknown numbers", '{"order": [4, 5]}'],
  ["fractions", '{"order": [0.5, 1.5]}'],
  ["negative numbers", '{"order": [-1, -2]}'],
  ["a list among words", "I would say [2] > [1] > [3]"],
  ["names", '{"order": ["src/a.ts"]}'],
  ["no text", { order: [1] }],
  ["null", null],
])("%s is a failure of the provider", (_what, content) => {
  expect(orderIn(content)).toBe("PROVIDER_ERROR");
});

test("any order that a model may return is parsed", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(49), { minLength: 1 }), fc.lorem(), (order, words) => {
      expect(orderIn(`${words} ${JSON.stringify({ order })}\n${words}`, 50)).toEqual(order);
    }),
  );
});

test("for any response, an order has only distinct passage numbers, or there is none", () => {
  const noise = fc.array(
    fc.oneof(
      fc.constantFrom("[", "]", ",", '"order":', "{", "}", "```", "-", ".", "\n"),
      fc.nat(9).map(String),
      fc.string(),
    ),
    { maxLength: 40 },
  );
  const list = fc.array(fc.oneof(fc.integer({ min: -3, max: 12 }), fc.string(), fc.double()));
  const answers = fc.oneof(
    list.map((order) => completion(JSON.stringify({ order }))),
    fc.array(fc.nat(12)).map((order) => completion(JSON.stringify(order))),
    noise.map((parts) => completion(parts.join(""))),
    noise.map((parts) => completion(`{"order": [${parts.join("")}]}`)),
    fc.jsonValue(),
    fc.anything(),
    fc.jsonValue().map((choices) => ({ choices })),
    fc.jsonValue().map((message) => ({ choices: [{ message }] })),
  );
  let orders = 0;
  fc.assert(
    fc.property(answers, fc.integer({ min: 1, max: 8 }), (answer, count) => {
      const order = readOrDont(answer, count);
      if (order === undefined) return;
      orders += 1;
      expect(order.length).toBeGreaterThan(0);
      expect(new Set(order).size).toBe(order.length);
      expect(order.every((at) => Number.isInteger(at) && at >= 0 && at < count)).toBe(true);
    }),
    { seed: 11, numRuns: 2000 },
  );
  expect(orders).toBeGreaterThan(100);
});

test("a response of maximum length without an order is a failure of the provider", () => {
  expect(orderIn('"order": ['.repeat(25_000))).toBe("PROVIDER_ERROR");
});
