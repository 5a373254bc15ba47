import { expect, test } from "vitest";

import { importsIn, usesIn } from "../../references/reference-lines.ts";

const SOURCE = `package shop
import a.b.{C => D, E, hidden => _, _}, x.Y.z
import a.b.{given, *}
import a.b as c
class Cart(items: Items) {
  import items._
  def run(other: Other) = {
    import other.{first, second}
    first + total
  }
}
`;

test("an import names each selector in full, and the objects in its path", async () => {
  expect(await importsIn("scala", SOURCE)).toEqual([
    "2 a.b.C C>D",
    "2 a.b.E E>E",
    "2 a.b.hidden hidden>",
    "2 a.b.* wildcard",
    "2 x.Y Y>",
    "2 x.Y.z z>z",
    "3 a.b.* wildcard",
    "3 a.b.* wildcard",
    "4 a a>",
    "4 a.b b>c",
  ]);
});

test("an import from a variable makes the members of its type visible", async () => {
  const uses = await usesIn("scala", SOURCE);
  expect(uses.filter((use) => use.startsWith("9 "))).toEqual([
    "9 value @Other;@Items|.first in Cart.run",
    "9 call first.+ in Cart.run",
    "9 value @Other;@Items|.total in Cart.run",
  ]);
});
