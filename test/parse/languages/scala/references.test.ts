import { expect, test } from "vitest";

import { typesIn, usesIn } from "../../references/reference-lines.ts";
import { chunk } from "../../../chunk/helpers.ts";

const SOURCE = `package shop.cart
package inner
class Cart[A <: Item](val first: A, size: Int) extends Base[A](size) with Named { self: Logged =>
  private val \`type\` = new Item("a") with Named { def label = first.label }
  def total(more: A*)(implicit rate: Rate): Price = {
    def sum(left: Price): Price = if (left.isDone) left else sum(left.next)
    val start = Price(value = 3)
    start + more.head.price :: rest
    sum(start) to Price.max
    this.first = other
    super.total(more)
    super[Named].label
    Cart.this.first.copy(label = "b")
    s"$size \${start.text} \`type\`"
    (start: Price).text
    foo[Item](start).bar
  }
}
`;

test("values, calls, types and inherited types are uses, and parameters and locals are not", async () => {
  expect(await usesIn("scala", SOURCE)).toEqual([
    "3 type Item in Cart",
    "3 inherit Base in Cart",
    "3 inherit Named in Cart",
    "3 type Logged in Cart",
    "4 call Item in Cart",
    "4 call Named in Cart",
    "4 value first -> Cart.first in Cart",
    "4 value #0.first.label in Cart",
    "5 type Rate in Cart.total",
    "5 type Price in Cart.total",
    "6 type Price in Cart.total",
    "6 type Price in Cart.total",
    "6 value @Price.isDone in Cart.total",
    "6 value @Price.next in Cart.total",
    "7 call Price in Cart.total",
    "7 value Price():.value in Cart.total",
    "8 call Price().+ in Cart.total",
    "8 value @Item*.head in Cart.total",
    "8 value @Item*.head.price in Cart.total",
    "8 call rest.:: in Cart.total",
    "8 value rest in Cart.total",
    "9 call @Price.to in Cart.total",
    "9 value Price in Cart.total",
    "9 value Price.max in Cart.total",
    "10 value #0.first in Cart.total",
    "10 value other in Cart.total",
    "11 call #0.super^.total in Cart.total",
    "12 type Named in Cart.total",
    "12 value #0.super^.label in Cart.total",
    "13 value Cart -> Cart in Cart.total",
    "13 value Cart.this.first in Cart.total",
    "13 call Cart.this.first.copy in Cart.total",
    "13 value Cart.this.first:.label in Cart.total",
    "14 value Price().text in Cart.total",
    "15 type Price in Cart.total",
    "15 value @Price.text in Cart.total",
    "16 call foo in Cart.total",
    "16 type Item in Cart.total",
    "16 value foo().bar in Cart.total",
  ]);
});

test("a package has the names of its clauses", async () => {
  const { references } = await chunk("scala", SOURCE);
  expect(references.package).toBe("shop.cart.inner");
  const braces = await chunk("scala", "package a { package b { class C } }\npackage d {}\n");
  expect(braces.references.package).toBe("a.b");
});

test("definitions have declared types, or those of their values, and classes that of `this`", async () => {
  const types = await typesIn(
    "scala",
    `trait Store { self: Logged =>
  val size = 3
  def first: Option[Item]
  def all(to: Int) = items.filter(_.isNew)
  val (left, right) = (1, 2)
  lazy val items: Seq[Item]
  type Id = Int
  def made = if (open) Item(1) else null
  def copied[B <: Item](item: B): B = item
}
`,
  );
  expect(types).toEqual([
    "Store @Logged",
    "Store.size @Int",
    "Store.first @Item*",
    "Store.all #0.items.filter()",
    "Store.items @Item*",
    "Store.Id @Int",
    "Store.made Item()",
  ]);
});
