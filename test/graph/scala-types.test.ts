import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a class and its object have members of their own", async () => {
  const users = await usersIn({
    "Item.scala": `package shop
trait Made { def make = 1 }
trait Sold { def cost = 2 }
class Item extends Sold { def own = cost }
object Item extends Made { def own = make }
class Use(item: Item) {
  def run = item.cost + item.make
  def other = Item.make
}
`,
  });
  expect(await users("Sold.cost")).toEqual(["Item.scala:4 value", "Item.scala:7 value"]);
  expect(await users("Made.make")).toEqual(["Item.scala:5 value", "Item.scala:8 value"]);
});

test("a member overrides that of the object's own supertypes, and a type overrides a type", async () => {
  const users = await usersIn({
    "Unit.scala": `package shop
trait Unit1 { type Value; def symbol: String; def show(value: Value) = symbol }
trait Quantity { def name: String }
class Length extends Quantity { val name = "length" }
object Length extends Unit1 { val symbol = "m"; type Value = Int }
class Use(quantity: Quantity) { quantity.name }
`,
  });
  expect(await users("Length.symbol")).toEqual(["Unit.scala:2 value"]);
  expect(await users("Length.Value")).toEqual(["Unit.scala:2 type"]);
  expect(await users("Length.name")).toEqual(["Unit.scala:6 value"]);
});

test("the name of an object is not that of the type that it inherits from", async () => {
  const users = await usersIn({
    "a/Parser.scala": "package a\ntrait Parser { trait Opt }\n",
    "b/Main.scala": `package b
import a.Parser
object Main {
  object Parser extends Parser {
    object First extends Opt
  }
}
`,
  });
  expect(await users("Parser.Opt")).toEqual(["b/Main.scala:5 inherit"]);
});
