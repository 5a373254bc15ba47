import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

test("a placeholder is the parameter of the function that the expression around it stands for", async () => {
  const uses = await usesIn(
    "scala",
    `class Shop(items: List[Item]) {
  items.map(_.cost)
  items.filter(_.owner.name == "Ada")
  items map (_.cost)
  items.foldLeft(0)(_ + _.cost)
  items.map(_)
}
`,
  );
  expect(uses.filter((use) => use.includes("."))).toEqual([
    "2 call @Item*.map in Shop",
    "2 value @Item.cost in Shop",
    "3 call @Item*.filter in Shop",
    "3 value @Item.owner in Shop",
    "3 value @Item.owner.name in Shop",
    "3 call @Item.owner.name.== in Shop",
    "4 call @Item*.map in Shop",
    "4 value @Item.cost in Shop",
    "5 call @Item*.foldLeft in Shop",
    "5 call ?.+ in Shop",
    "5 value @Item.cost in Shop",
    "6 call @Item*.map in Shop",
  ]);
});
