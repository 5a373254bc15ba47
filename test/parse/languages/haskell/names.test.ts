import { expect, test } from "vitest";

import { chunk } from "../../../chunk/helpers.ts";
import { usesIn } from "../../references/reference-lines.ts";

const SOURCE = `module Names where
(x \`op\` y) z = x
a <+> b = a
(!) :: Int -> Int
(!) a = a
data Pair = Int :*: Int | Int \`Two\` Int
data Plus = Plus { one, two :: Int } | (:+) Int
data Tree where
  Leaf :: Tree
  Node :: { left :: Tree } -> Tree
type a ~> b = a -> b
class a :<: b where
  (<<), (>>>) :: a -> b
pattern Head x <- (x : _)
pattern x :> y = (x, y)
pattern Both {first, second} = (first, second)
foreign import ccall "sin" sine :: Double -> Double
(up, down) = (1, 2)
data instance Family Int = Member
`;

test("operators, synonyms of patterns and names in patterns are definitions", async () => {
  const { symbols } = await chunk("haskell", SOURCE);
  expect(symbols.map(({ qualifiedName }) => qualifiedName)).toEqual([
    "op",
    "<+>",
    "!",
    "Pair",
    "Pair.:*:",
    "Pair.Two",
    "Plus",
    "Plus.Plus",
    "Plus.Plus.one",
    "Plus.Plus.two",
    "Plus.:+",
    "Tree",
    "Tree.Leaf",
    "Tree.Node",
    "Tree.Node.left",
    "~>",
    ":<:",
    ":<:.<<",
    ":<:.>>>",
    "Head",
    ":>",
    "Both",
    "sine",
    "up",
    "down",
    "Member",
  ]);
});

test("names of definitions are no uses", async () => {
  const names = (await usesIn("haskell", SOURCE)).map((use) => use.split(" ")[2]);
  expect([...new Set(names)]).toEqual(["Int", "Tree", ":", "Double", "Family"]);
});
