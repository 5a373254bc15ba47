// References of Haskell between modules.
import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const CART = `module Shop.Cart
  ( Cart (..), Price (Price), Priced (..), Secret, total, (<+>), module Shop.Name, Name.short
  ) where
import Shop.Name
import qualified Shop.Short as Name

data Cart = Cart { items :: [Int], owner :: Name } | Empty { owner :: Name }
newtype Price = Price { amount :: Int }
data Secret = Secret
class Priced a where
  cost :: a -> Int
instance Priced Cart where
  cost cart = total cart

total :: Cart -> Int
total Cart {items = all} = sum all
total Empty {} = hidden
hidden = 0
(<+>) :: Cart -> Cart -> Cart
one <+> _ = one
`;
const NAME = "module Shop.Name where\ntype Name = String\nlong = show\n";
const SHORT = "module Shop.Short (short) where\nshort = take 3\nunused = short\n";

test("names lead through imports, aliases, lists and exports of other modules", async () => {
  const users = await usersIn({
    "src/Shop/Cart.hs": CART,
    "src/Shop/Name.hs": NAME,
    "src/Shop/Short.hs": SHORT,
    "app/Main.hs": `module Main where
import Shop.Cart hiding (total)
import qualified Shop.Cart as C (total)
main = print (C.total (Cart [] name <+> Empty name))
  where name = short (long 1)
change cart = cart { items = [], owner = "me" :: Name }
`,
    "app/Other.hs": `module Other where
import Shop.Cart (Cart (Empty), total, Priced (..))
total' = total (Empty "x")
items = Cart
data Basket = Basket
instance Priced Basket where
  cost Basket = hidden
`,
  });
  const names =
    "Cart Cart.Cart Cart.Empty Cart.Cart.items Cart.Empty.owner Priced Priced.cost total <+> hidden";
  const found = names.split(" ").map(async (name) => [name, await users(name)] as const);
  expect(Object.fromEntries(await Promise.all(found))).toEqual({
    Cart: [
      "app/Other.hs:2 import",
      "src/Shop/Cart.hs:2 import",
      "src/Shop/Cart.hs:12 type",
      "src/Shop/Cart.hs:15 type",
      "src/Shop/Cart.hs:19 type",
    ],
    "Cart.Cart": ["app/Main.hs:4 call", "src/Shop/Cart.hs:16 value"],
    "Cart.Empty": [
      "app/Main.hs:4 call",
      "app/Other.hs:2 import",
      "app/Other.hs:3 call",
      "src/Shop/Cart.hs:17 value",
    ],
    "Cart.Cart.items": ["app/Main.hs:6 value", "src/Shop/Cart.hs:16 value"],
    "Cart.Empty.owner": ["app/Main.hs:6 value"],
    Priced: [
      "app/Other.hs:2 import",
      "app/Other.hs:6 inherit",
      "src/Shop/Cart.hs:2 import",
      "src/Shop/Cart.hs:12 inherit",
    ],
    "Priced.cost": ["app/Other.hs:7 inherit", "src/Shop/Cart.hs:13 inherit"],
    total: [
      "app/Main.hs:2 import",
      "app/Main.hs:3 import",
      "app/Main.hs:4 call",
      "app/Other.hs:2 import",
      "app/Other.hs:3 call",
      "src/Shop/Cart.hs:2 import",
      "src/Shop/Cart.hs:13 call",
    ],
    "<+>": ["app/Main.hs:4 call", "src/Shop/Cart.hs:2 import"],
    hidden: ["src/Shop/Cart.hs:17 value"],
  });
  expect(await users("Name")).toEqual(["app/Main.hs:6 type", "src/Shop/Cart.hs:7 type"]);
  expect(await users("long")).toEqual(["app/Main.hs:5 call"]);
  expect(await users("short")).toEqual([
    "app/Main.hs:5 call",
    "src/Shop/Cart.hs:2 import",
    "src/Shop/Short.hs:1 import",
    "src/Shop/Short.hs:3 value",
  ]);
});

test("names that a module does not export, and names of libraries, are no uses", async () => {
  const users = await usersIn({
    "Shop/Cart.hs": CART,
    "Main.hs": `module Main where
import Shop.Cart
import qualified Data.Map as Map
import Data.List
main = Map.total (Secret 1) amount hidden
`,
  });
  expect(await users("total")).toEqual(["Shop/Cart.hs:2 import", "Shop/Cart.hs:13 call"]);
  expect(await users("Secret.Secret")).toEqual([]);
  expect(await users("Price.Price.amount")).toEqual([]);
  expect(await users("hidden")).toEqual(["Shop/Cart.hs:17 value"]);
});

test("a field of two types, and a name that two modules export, are not exact", async () => {
  const users = await usersIn({
    "A.hs":
      "module A where\ndata One = One { size :: Int }\ndata Two = Two { size :: Int }\nrun = 1\n",
    "B.hs": "module B where\nrun = 2\n",
    "Main.hs": "module Main where\nimport A\nimport B\nmain = run + size (One 1)\n",
  });
  expect(await users("One.One.size")).toEqual(["Main.hs:4 call ?"]);
  expect(await users("run", "A.hs")).toEqual(["Main.hs:4 value ?"]);
});

test("modules that import each other end", async () => {
  const users = await usersIn({
    "A.hs": "module A (module B, one) where\nimport B\none = two\n",
    "B.hs": "module B (module A, two) where\nimport A\ntwo = one\n",
  });
  expect(await users("one")).toEqual(["A.hs:1 import", "B.hs:3 value"]);
  expect(await users("two")).toEqual(["A.hs:3 value", "B.hs:1 import"]);
});
