import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

test("members, calls, elements, cascades and creations of objects are followed", async () => {
  const uses = await usesIn(
    "dart",
    `void run(Store store) {
  store.items[0]!.close();
  store?.open()
    ..size = store.next.count
    ..first.clear();
  const Price.free(1).text;
  new shop.Item().name;
}
`,
  );
  expect(uses).toEqual([
    "1 type Store in run",
    "2 value @Store.items in run",
    "2 call @Store.items[].close in run",
    "3 call @Store.open in run",
    "4 value @Store.open().size in run",
    "4 value @Store.next in run",
    "4 value @Store.next.count in run",
    "5 value @Store.open().first in run",
    "5 call @Store.open().first.clear in run",
    "6 type Price in run",
    "6 call Price.free in run",
    "6 value Price.free().text in run",
    "7 type shop in run",
    "7 call shop.Item in run",
    "7 value shop.Item().name in run",
  ]);
});
