import { expect, test } from "vitest";

import { docAfter, partOfType } from "../../../src/engine/symbols/haskell-lines.ts";

test.each([
  [
    "data Shape = Circle Double | Square (Int, Int) deriving (Show)",
    "Circle",
    "constant",
    "Circle Double",
  ],
  [
    "data Shape = Circle Double | Square (Int, Int) deriving (Show)",
    "Square",
    "constant",
    "Square (Int, Int)",
  ],
  [
    "newtype Id = Id { unId :: Map.Map Int [a] } -- ^ A number.",
    "Id",
    "constant",
    "Id { unId :: Map.Map Int [a] }",
  ],
  [
    "newtype Id = Id { unId :: Map.Map Int [a] } -- ^ A number.",
    "unId",
    "field",
    "unId :: Map.Map Int [a]",
  ],
  [
    "  , height, width :: (Int, Int)  -- ^ Pixels.",
    "height",
    "field",
    "height, width :: (Int, Int)",
  ],
  ["  | forall a. Show a => Any a", "Any", "constant", ""],
  ["  = Point {", "Point", "constant", "Point"],
  ["size = Size", "size", "constant", ""],
] as const)("%s, %s", (line, name, kind, part) => {
  expect(partOfType(line, { name, kind })).toBe(part);
});

test("documentation may follow on the line or the next one", () => {
  const lines = [
    "  { size :: Int -- ^ The bytes.",
    "  , name :: Text",
    "    -- ^ Its name.",
    "  }",
  ];
  expect([1, 2, 4].map((line) => docAfter(lines, line))).toEqual(["The bytes.", "Its name.", ""]);
});
