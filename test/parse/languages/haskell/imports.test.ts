import { expect, test } from "vitest";

import { importsIn, usesIn } from "../../references/reference-lines.ts";

const SOURCE = `module Shop.Cart
  ( Cart (..), Item (Box, size), total, (<+>)
  , module Shop.Price, Map.insert, pattern Two, type (++)
  ) where
import Data.List
import qualified Data.Map as Map
import Data.Set qualified
import Data.Text as T (Text, (*), pack) -- qualified
import Shop.Price hiding (Price (..), zero)
import Shop.Tax
  ( Tax (Rate, rate)
  )
import Shop.Empty ()
`;

test("imports keep their prefix and their list, and so do exports", async () => {
  expect(await importsIn("haskell", SOURCE)).toEqual([
    "1  Cart>Cart ..>Cart.. Item>Item Box>Item.Box size>Item.size total>total <+>><+> *>Shop.Price insert>Map.insert Two>pattern.Two ++>type.++ reexport",
    "5 Data.List *>Data.List wildcard",
    "6 Data.Map *>Map. wildcard",
    "7 Data.Set *>Data.Set. wildcard",
    "8 Data.Text *>T Text>Text (*)>(*) pack>pack",
    "9 Shop.Price *>Shop.Price Price>-.Price ..>-.Price.. zero>-.zero wildcard",
    "10 Shop.Tax *>Shop.Tax Tax>Tax Rate>Tax.Rate rate>Tax.rate",
    "13 Shop.Empty *>Shop.Empty",
  ]);
});

test("the names in lists are uses", async () => {
  const uses = await usesIn("haskell", SOURCE);
  expect(uses.filter((use) => / from [045]/.test(use))).toEqual([
    "2 import Cart from 0",
    "2 import Item from 0",
    "2 import Box from 0",
    "2 import size from 0",
    "2 import total from 0",
    "2 import <+> from 0",
    "3 import insert from 0",
    "3 import Two from 0",
    "3 import ++ from 0",
    "8 import Text from 4",
    "8 import pack from 4",
    "9 import Price from 5",
    "9 import zero from 5",
  ]);
});
