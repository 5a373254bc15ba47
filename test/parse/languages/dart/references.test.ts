import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

const SOURCE = `import 'package:http/http.dart' as http;
@Described('cart')
class Cart<T extends Item> extends Base<T> with Named, Loud implements http.Closable {
  Cart(this.first, {super.key, int size = limit}) : last = first, super(size);
  Cart.two() : this(Item());
  final Item first, last;
  Future<Price> total(List<Item> more) async {
    for (final item in more) item.price;
    final sums = more.where((one) => one.isOpen).map((one) => one.price).toList();
    await for (final price in prices()) { price.show(); }
    final start = await load();
    print('$start \${first.name}');
    final (a, b) = pair();
    if (first case Item(:final name, price: Price(cents: var c))) { use(name, c); }
    Item inner(Item one) => one.next;
    return inner(first).price ?? Price.zero;
  }
  Future<Price> load() => total([]);
  Stream<Price> prices() async* { yield Price.zero; }
}
`;

test("values, calls, types and inherited types are uses, and parameters and locals are not", async () => {
  expect(await usesIn("dart", SOURCE)).toEqual([
    "2 call Described in Cart",
    "3 type Item in Cart",
    "3 inherit Base in Cart",
    "3 inherit Named in Cart",
    "3 inherit Loud in Cart",
    "3 type http from 0 in Cart",
    "3 inherit http.Closable in Cart",
    "4 value #0.first in Cart.Cart",
    "4 value #0.super:.key in Cart.Cart",
    "4 value limit in Cart.Cart",
    "4 value #0.last in Cart.Cart",
    "4 value first -> Cart.first in Cart.Cart",
    "5 call #0.Cart in Cart.two",
    "5 call Item in Cart.two",
    "6 type Item in Cart",
    "7 type Future in Cart.total",
    "7 type Price in Cart.total",
    "7 type List in Cart.total",
    "7 type Item in Cart.total",
    "8 value @Item.price in Cart.total",
    "9 call @Item*.where in Cart.total",
    "9 value @Item.isOpen in Cart.total",
    "9 call @Item*.map in Cart.total",
    "9 value @Item.price in Cart.total",
    "9 call @Item*.map().toList in Cart.total",
    "10 call prices -> Cart.prices in Cart.total",
    "10 call #0.prices()[].show in Cart.total",
    "11 call load -> Cart.load in Cart.total",
    "12 call print in Cart.total",
    "12 value first -> Cart.first in Cart.total",
    "12 value #0.first.name in Cart.total",
    "13 call pair in Cart.total",
    "14 value first -> Cart.first in Cart.total",
    "14 type Item in Cart.total",
    "14 value @Item.name in Cart.total",
    "14 value @Item.price in Cart.total",
    "14 type Price in Cart.total",
    "14 value @Price.cents in Cart.total",
    "14 call use in Cart.total",
    "15 type Item in Cart.total",
    "15 type Item in Cart.total",
    "15 value @Item.next in Cart.total",
    "16 value first -> Cart.first in Cart.total",
    "16 value @Item.price in Cart.total",
    "16 value Price in Cart.total",
    "16 value Price.zero in Cart.total",
    "18 type Future in Cart.load",
    "18 type Price in Cart.load",
    "18 call total -> Cart.total in Cart.load",
    "19 type Stream in Cart.prices",
    "19 type Price in Cart.prices",
    "19 value Price in Cart.prices",
    "19 value Price.zero in Cart.prices",
  ]);
});
