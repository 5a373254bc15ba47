import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const PUBSPEC = "name: shop\n";

test("names come from packages, exports and relative files, and private ones only from the library", async () => {
  const users = await usersIn({
    "pubspec.yaml": PUBSPEC,
    "lib/shop.dart": "export 'src/item.dart' show Item;\nexport 'src/price.dart' hide Secret;\n",
    "lib/src/item.dart": "class Item {}\nclass Hidden {}\nvoid _help() {}\nfinal one = _help();\n",
    "lib/src/price.dart": "class Price {}\nclass Secret {}\n",
    "test/use.dart": `import 'package:shop/shop.dart';
import '../lib/src/item.dart' as items hide Item;
Item a = Item();
Price b = Price();
Hidden c;
Secret d;
items.Hidden e;
final f = _help();
`,
  });
  expect(await users("Item")).toEqual([
    "lib/shop.dart:1 import",
    "test/use.dart:3 type",
    "test/use.dart:3 call",
  ]);
  expect(await users("Price")).toEqual(["test/use.dart:4 type", "test/use.dart:4 call"]);
  expect(await users("Hidden")).toEqual(["test/use.dart:7 type"]);
  expect(await users("Secret")).toEqual([]);
  expect(await users("_help")).toEqual(["lib/src/item.dart:4 call"]);
});

test("the parts of a library and the library see each other, with its imports", async () => {
  const users = await usersIn({
    "pubspec.yaml": PUBSPEC,
    "lib/store.dart": `library shop.store;
import 'item.dart';
part 'src/cart.dart';
part 'src/list.dart';
class Store { _Cart cart = _Cart(); }
`,
    "lib/item.dart": "class Item {}\n",
    "lib/src/cart.dart": "part of '../store.dart';\nclass _Cart { Item? item; Store? store; }\n",
    "lib/src/list.dart": "part of shop.store;\nclass List2 { _Cart? cart; }\n",
    "lib/other.dart": "import 'store.dart';\nList2? list;\n_Cart? none;\n",
  });
  expect(await users("Item")).toEqual(["lib/src/cart.dart:2 type"]);
  expect(await users("_Cart")).toEqual([
    "lib/src/list.dart:2 type",
    "lib/store.dart:5 type",
    "lib/store.dart:5 call",
  ]);
  expect(await users("Store")).toEqual(["lib/src/cart.dart:2 type"]);
  expect(await users("List2")).toEqual(["lib/other.dart:2 type"]);
});
