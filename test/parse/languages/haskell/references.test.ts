import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

const SOURCE = `module Shop.Cart (Cart (..), total) where
import qualified Data.Map as Map
import Shop.Item (Item (..), price, (<+>))

data Cart a = Cart { items :: [Item], owner :: Map.Map a Name } | Empty
type Name = String
class Priced a where
  cost :: a -> Int
  cost _ = 0
instance Priced (Cart a) where
  cost Empty = 0
  cost cart = total cart
  label = show
infixl 5 +++
(+++) :: Cart a -> Cart a -> Cart a
a +++ b = a { items = items a <+> items b }
total :: Cart a -> Int
total Cart {items = all, ..} = sum (map price all)
total cart@Empty | Just price <- find cart, let half = price = half
                 | otherwise = rest price
  where rest total = total
        (one, two) = pair one
pairs items = [price + x | x <- items, let price = x, even price]
main = do
  total <- load items
  let go 0 = total
      go n = go (n - 1)
  print total
  case total of
    Cart {owner} -> owner \`seq\` go 1
    (view -> items) -> Map.insert items (\\price -> price)
  return Cart { items = [], Map.owner = total }
pattern Two x y = Cart [x, y] Empty
f :: forall m. (Priced m, m ~ 'Empty) => m Name
f = g @Name
`;

test("names of types, values and fields are uses, and locals, type variables and heads of definitions are not", async () => {
  expect(await usesIn("haskell", SOURCE)).toEqual([
    "1 import Cart from 0",
    "1 import total from 0",
    "3 import Item from 2",
    "3 import price from 2",
    "3 import <+> from 2",
    "5 type Item from 2 in Cart.Cart.items",
    "5 type Map.Map in Cart.Cart.owner",
    "5 type Name -> Name in Cart.Cart.owner",
    "6 type String in Name",
    "8 type Int in Priced.cost",
    "10 inherit Priced -> Priced in Priced (Cart a)",
    "10 type Cart -> Cart in Priced (Cart a)",
    "11 inherit cost in Priced (Cart a).cost",
    "11 value Empty -> Cart.Empty in Priced (Cart a).cost",
    "12 call total -> total in Priced (Cart a).cost",
    "13 inherit label in Priced (Cart a).label",
    "13 value show in Priced (Cart a).label",
    "15 type Cart -> Cart in +++",
    "15 type Cart -> Cart in +++",
    "15 type Cart -> Cart in +++",
    "16 value ?.items in +++",
    "16 call items in +++",
    "16 call <+> from 2 in +++",
    "16 call items in +++",
    "17 type Cart -> Cart in total",
    "17 type Int in total",
    "18 value Cart -> Cart.Cart in total",
    "18 value ?.items in total",
    "18 call sum in total",
    "18 call map in total",
    "18 value price from 2 in total",
    "19 value Empty -> Cart.Empty in total",
    "19 value Just in total",
    "19 call find in total",
    "20 value otherwise in total",
    "20 value price from 2 in total",
    "22 call pair in total",
    "23 call + in pairs",
    "23 call even in pairs",
    "25 call load in main",
    "25 value items in main",
    "27 call - in main",
    "28 call print in main",
    "30 value Cart -> Cart.Cart in main",
    "30 value ?.owner in main",
    "30 call seq in main",
    "31 value view in main",
    "31 call Map.insert in main",
    "32 call return in main",
    "32 call Cart -> Cart.Cart in main",
    "32 value ?.items in main",
    "32 value Map.owner in main",
    "33 value Cart -> Cart.Cart in Two",
    "33 value Empty -> Cart.Empty in Two",
    "34 type Priced -> Priced in f",
    "34 type ~ in f",
    "34 type Empty in f",
    "34 type Name -> Name in f",
    "35 call g in f",
    "35 type Name -> Name in f",
  ]);
});

test("a statement sees the names that are declared before it, and `let` its own", async () => {
  const source = `type Box :: Type -> Type
opts = 1
main = do
  x <- go opts
  let opts = x
      rest = rest opts
  print opts
all = [y | x <- opts, let y = x]
`;
  expect(await usesIn("haskell", source)).toEqual([
    "1 type Type",
    "1 type Type",
    "4 call go in main",
    "4 value opts -> opts in main",
    "7 call print in main",
    "8 value opts -> opts in all",
  ]);
});
