import { expect, test } from "vitest";

import { swiftUses } from "../../../helpers/swift-facts.ts";

test("type arguments are no comparisons", () => {
  expect(
    swiftUses(`let a = Box<Tag, [Item]>(x)
let b = small < big, c = big > (small)
let d = Box<Box<Tag>>.shared
`),
  ).toEqual([
    "1 type Tag",
    "1 type Item",
    "1 value x",
    "1 call Box (_)",
    "2 value small",
    "2 value big",
    "2 value big",
    "2 value small",
    "3 type Tag",
    "3 type Box",
    "3 value Box",
    "3 value shared of Box",
  ]);
});
