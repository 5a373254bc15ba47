import { expect, test } from "vitest";

import { swiftUses } from "../../../helpers/swift-facts.ts";

test("operators, casts, literals and implicit members", () => {
  expect(
    swiftUses(`func run(a: Item, b: Item?) {
  let kind = a.kind == .big && b!.kind != .small || a.isOpen
  (a as? Other)?.go()
  let list = [Tag](), pairs = ["a": Tag.first]
  list.first.show()
  let path = \\Item.owner.name
  x <+> a.left
  let one = flag ? a.left : a.right
  Box<Int>.make(a).value
  if a < b, c > d { go() }
  #selector(Item.open(_:))
  try await a.load()?.done
  b ?? Item.none
}
`),
  ).toEqual([
    "1 type Item",
    "1 type Item",
    "2 value kind of @Item",
    "2 value big of @Item.kind",
    "2 value kind of @Item",
    "2 value small of @Item.kind",
    "2 value isOpen of @Item",
    "3 type Other",
    "3 call go of @Other ()",
    "4 value Tag",
    "4 value Tag",
    "4 value first of Tag",
    "5 value first of @Tag*",
    "5 call show of @Tag*.first ()",
    "6 type Item",
    "6 value owner of Item",
    "6 value name of Item.owner",
    "7 value x",
    "7 call <+>",
    "7 value left of @Item",
    "8 value flag",
    "8 value left of @Item",
    "8 value right of @Item",
    "9 type Int",
    "9 value Box",
    "9 call make of Box (_)",
    "9 value value of Box.make(_)",
    "10 value c",
    "10 value d",
    "10 call go ()",
    "11 value Item",
    "11 value open of Item (_)",
    "12 call load of @Item ()",
    "12 value done of @Item.load()",
    "13 value Item",
    "13 value none of Item",
  ]);
});
