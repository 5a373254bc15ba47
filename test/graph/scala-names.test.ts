import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a package is a clause, whatever the folder, and has the members of its object and of what that inherits", async () => {
  const users = await usersIn({
    "core/Item.scala": "package shop.core\nclass Item\ntrait Helpers { def help = 1 }\n",
    "core/all.scala": `package shop
package object core extends Helpers {
  type Items = List[Item]
  val limit = 3
}
`,
    "web/Page.scala": `package shop
package web
import core._
class Page(item: Item, items: Items) {
  def run = limit + help
  val other: core.Item = item
}
`,
    "other/Item.scala": "package other\nclass Item\nclass Use(item: Item, outer: shop.core.Item)\n",
  });
  expect(await users("Item", "core/Item.scala")).toEqual([
    "core/all.scala:3 type",
    "other/Item.scala:3 type",
    "web/Page.scala:4 type",
    "web/Page.scala:6 type",
  ]);
  expect(await users("core.limit")).toEqual(["web/Page.scala:5 value"]);
  expect(await users("core.Items")).toEqual(["web/Page.scala:4 type"]);
  expect(await users("Helpers.help")).toEqual(["web/Page.scala:5 value"]);
});

test("an import renames, hides, is relative, and counts only in the definition around it", async () => {
  const users = await usersIn({
    "a/Tools.scala": `package a
object Tools { def first = 1; def second = 2 }
object Other { def second = 2 }
`,
    "b/Use.scala": `package b
import a.Tools.{first => one}
class Use {
  def inside = { import a.Tools._; second }
  def outside = second
  def renamed = one
  def path = a.Other.second
}
`,
  });
  expect(await users("Tools.first")).toEqual(["b/Use.scala:2 import", "b/Use.scala:6 value"]);
  expect(await users("Tools.second")).toEqual(["b/Use.scala:4 value"]);
  expect(await users("Other.second")).toEqual(["b/Use.scala:7 value"]);
});

test("members of a self type are visible without a receiver", async () => {
  const users = await usersIn({
    "Cake.scala": `package shop
trait Logging { def log(text: String) = () }
trait Service { self: Logging =>
  def run = log("a")
  def again = self.log("b")
}
`,
  });
  expect(await users("Logging.log")).toEqual(["Cake.scala:4 call", "Cake.scala:5 call"]);
});
