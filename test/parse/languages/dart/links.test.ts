import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

test("what follows an expression belongs to it: super, null-aware members, type arguments", async () => {
  const uses = await usesIn(
    "dart",
    `class Cart extends Base {
  void run() {
    super.open().last;
    this.total?.value;
    Box<Item>.of(this).item;
    (total as Price).text;
  }
}
`,
  );
  expect(uses).toEqual([
    "1 inherit Base in Cart",
    "3 call @Base^.open in Cart.run",
    "3 value @Base.open().last in Cart.run",
    "4 value #0.total in Cart.run",
    "4 value #0.total.value in Cart.run",
    "5 value Box in Cart.run",
    "5 type Item in Cart.run",
    "5 call Box.of in Cart.run",
    "5 value Box.of().item in Cart.run",
    "6 value total in Cart.run",
    "6 type Price in Cart.run",
    "6 value @Price.text in Cart.run",
  ]);
});
