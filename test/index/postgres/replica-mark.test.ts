import { expect, test } from "vitest";

import { markOf, parseMark } from "../../../src/index/postgres/replica-mark.ts";

test.each([
  { epoch: "0b0e", generation: 12, commit: "9a1e" },
  { epoch: "0b0e", generation: 0, commit: undefined },
])("the mark of %j is parsed as it was made", (position) => {
  expect(parseMark(markOf(position))).toEqual(position);
});

test.each([undefined, "", "epoch", "epoch x", "epoch 1.5"])("%j is none", (mark) => {
  expect(parseMark(mark)).toBeUndefined();
});
