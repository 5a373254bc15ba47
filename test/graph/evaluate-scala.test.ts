import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a call of an object is one of its apply, and of a case class constructs it", async () => {
  const users = await usersIn({
    "Item.scala": `package shop
class Price { def text = "" }
case class Item(price: Price, count: Int) { def label = "" }
object Prices { def apply(item: Item) = new Price }
class Maker { def apply(count: Int): Item = Item(Prices(null), count) }
class Use(maker: Maker, items: List[Item], named: Map[String, Item]) {
  Prices(null).text
  Item(null, 3).label
  maker(3).label
  items(3).label
  items.headOption.getOrElse(null).label
  named("a").label
  Prices.text
}
`,
  });
  expect(await users("Price.text")).toEqual(["Item.scala:7 value"]);
  expect(await users("Item.label")).toEqual(
    [8, 9, 10, 11, 12].map((line) => `Item.scala:${line} value`),
  );
});

test("a pattern of a case class names the values of its parameters, also of Scala 3", async () => {
  const users = await usersIn({
    "Item.scala": `package shop
class Price { def text = "" }
case class Item(price: Price, count: Int)
enum Color(val code: Price):
  case Red extends Color(null)
  case Mixed(first: Price) extends Color(first)
def show(value: Any, color: Color) = value match
  case Item(price, _) => price.text
  case Color.Red => color.code.text
  case other: Price => other.text
`,
  });
  expect(await users("Price.text")).toEqual([8, 9, 10].map((line) => `Item.scala:${line} value`));
  expect(await users("Color.Red")).toEqual(["Item.scala:9 value"]);
});
