import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

test("calls with type arguments in lists and arguments are no comparisons", async () => {
  const uses = await usesIn(
    "dart",
    `void run(Item item) {
  show([View<Store, State>(build: (state) => state, size: 1), a < b, c > (d)]);
  show(item.map<Price>(1).text, child: View<Store, State>(item.id));
}
`,
  );
  expect(uses).toEqual([
    "1 type Item in run",
    "2 call show in run",
    "2 call View in run",
    "2 type Store in run",
    "2 type State in run",
    "2 value View():.build in run",
    "2 value View():.size in run",
    "2 value a in run",
    "2 value b in run",
    "2 value c in run",
    "2 value d in run",
    "3 call show in run",
    "3 call @Item.map in run",
    "3 type Price in run",
    "3 value @Item.map().text in run",
    "3 call View in run",
    "3 type Store in run",
    "3 type State in run",
    "3 value @Item.id in run",
  ]);
});
