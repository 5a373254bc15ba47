import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

const SOURCE = `class Shop {
  def price(value: Any, items: List[Item]) = value match {
    case Limit => value
    case \`items\` => value
    case item: Item => item.cost
    case Order(first, second) => first.cost
    case whole @ Order(_, _) => whole.total
    case Some(inner) => inner
    case left :: right => left
    case (one, other) => one.cost
  }
  val items: List[Item] = Nil
  for { item <- items; other = item.copy; Order(a, b) <- other } yield item.cost + a.cost
  items.map { case item => item.cost }
}
`;

test("patterns declare variables with the types of what they match, and name constants and extractors", async () => {
  const uses = await usesIn("scala", SOURCE);
  expect(uses.filter((use) => !/ (?:List|Item|Any) /.test(use))).toEqual([
    "3 value Limit in Shop.price",
    "4 value items in Shop.price",
    "5 value @Item.cost in Shop.price",
    "6 call Order in Shop.price",
    "6 value Order{0}.cost in Shop.price",
    "7 call Order in Shop.price",
    "7 value @Order.total in Shop.price",
    "8 call Some in Shop.price",
    "9 value :: in Shop.price",
    "10 value ?.cost in Shop.price",
    "12 value Nil in Shop.items",
    "13 value items -> Shop.items in Shop",
    "13 value #0.items[].copy in Shop",
    "13 call Order in Shop",
    "13 value #0.items[].cost in Shop",
    "13 call #0.items[].cost.+ in Shop",
    "13 value Order{0}.cost in Shop",
    "14 value items -> Shop.items in Shop",
    "14 call #0.items.map in Shop",
    "14 value #0.items[].cost in Shop",
  ]);
});
