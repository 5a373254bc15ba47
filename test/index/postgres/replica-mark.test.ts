import { expect, test } from "vitest";

import { markOf, parseMark } from "../../../src/index/postgres/replica-mark.ts";

test("a mark is parsed as it was made", () => {
  const position = { epoch: "0b0e", generation: 12 };
  expect(parseMark(markOf(position))).toEqual(position);
});

test.each([undefined, "", "epoch", "epoch x", "epoch 1.5"])("%j is none", (mark) => {
  expect(parseMark(mark)).toBeUndefined();
});
