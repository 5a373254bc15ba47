import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("an argument with a name is the parameter of the case class that is made or copied, and else no use", async () => {
  const users = await usersIn({
    "Item.scala": `package shop
case class Item(name: String, count: Int)
object Shop {
  def find(name: String) = name
  val item = Item(name = "a", count = 3)
  item.copy(count = 4)
  new Item(count = 1, name = "b")
  find(name = "c")
}
`,
  });
  expect(await users("Item.count")).toEqual([5, 6, 7].map((line) => `Item.scala:${line} value`));
  expect(await users("Item.name")).toEqual([5, 7].map((line) => `Item.scala:${line} value`));
});
