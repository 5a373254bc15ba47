import { expect, test } from "vitest";

import { chunk } from "../../../chunk/helpers.ts";

const SOURCE = `package shop
/** Prices. */
class Price private (val value: Double)(implicit val unit: Unit1) {
  def text =
    unit.name

  // About the next one.
  val (left, Some(right), _) = split
  val one, two = 3
}
case class Item(name: String)(count: Int)
package object tools { type Id = Int }
def run(items: List[Item]) =
  items ⇒ 3
`;

test("definitions of Scala have names, kinds and lines, also those in patterns and in further lists of parameters", async () => {
  const { symbols } = await chunk("scala", SOURCE);
  const lines = symbols.map(
    ({ qualifiedName, kind, startLine, endLine }) =>
      `${qualifiedName} ${kind} ${startLine}-${endLine}`,
  );
  expect(lines).toEqual([
    "Price class 2-10",
    "Price.value field 3-3",
    "Price.unit field 3-3",
    "Price.text method 4-5",
    "Price.left field 8-8",
    "Price.right field 8-8",
    "Price.one field 9-9",
    "Price.two field 9-9",
    "Item class 11-11",
    "Item.name field 11-11",
    "tools module 12-12",
    "tools.Id type 12-12",
    "run function 13-14",
  ]);
});
