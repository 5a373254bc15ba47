import { expect, test } from "vitest";

import { typesIn, usesIn } from "../../references/reference-lines.ts";

test("definitions have their declared types, or those of their values", async () => {
  const source = `http.Client client = make();
final item = Item(), other = 1;
class Cart {
  set last(Item value) {}
  Item get last => items.first;
  final List<Item> items = [];
  Cart._();
  factory Cart.empty() = Cart._;
  Future<Price?> total() async => null;
  Item operator +(Item other) => other;
}
enum Kind { round }
typedef Items = List<Item>;
extension type Id(Item value) {}
`;
  expect(await typesIn("dart", source)).toEqual([
    "client @http.Client",
    "item Item()",
    "other @int",
    "Cart.last @Item",
    "Cart.items @Item*",
    "Cart._ #3",
    "Cart.empty #3",
    "Cart.total @Price",
    "Cart.+ @Item",
    "Kind.round #10",
    "Items @Item*",
    "Id.value @Item",
  ]);
});

test("names of parameters, labels and parts of constructors are no uses", async () => {
  const source = `class Cart {
  Cart.of(int size, {String? name, void then(Item item)?}) : _size = size;
  final int _size;
  void Function(Item item)? onItem;
  void run() { show(name: _size, (a: 1)); try {} on Broken catch (error, trace) { print(trace); } }
}
`;
  expect(await usesIn("dart", source)).toEqual([
    "2 type Item in Cart.of",
    "2 value #0._size in Cart.of",
    "4 type Item in Cart",
    "5 call show in Cart.run",
    "5 value _size -> Cart._size in Cart.run",
    "5 type Broken in Cart.run",
    "5 call print in Cart.run",
  ]);
});
