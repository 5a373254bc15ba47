import { expect, onTestFinished, test } from "vitest";

import { withoutSharedNamespaces } from "../../../src/engine/impact/shared-namespaces.ts";
import { indexedTree } from "../../helpers/indexed-tree.ts";

const CART = `module Shop
  class Cart
    def add; end
  end
end
`;
const MIXIN = `module Priced
  def price; end
end
`;

/** The names affected by a change of the whole file. */
async function changedIn(files: Readonly<Record<string, string>>, path: string): Promise<string[]> {
  const index = indexedTree(files, { memory: true });
  onTestFinished(index.dispose);
  await index.run();
  const { reader } = await index.queryContext();
  const all = await reader.symbolsOf(path);
  const own = await withoutSharedNamespaces(reader, path, { changed: all, all });
  return own.map(({ qualifiedName }) => qualifiedName);
}

test("a namespace that another file opens too is not changed by this file", async () => {
  const files = { "cart.rb": CART, "order.rb": CART.replaceAll("Cart", "Order") };
  expect(await changedIn(files, "cart.rb")).toEqual(["Shop.Cart", "Shop.Cart.add"]);
});

test("a namespace of one file is", async () => {
  const files = { "cart.rb": CART, "order.rb": CART.replaceAll("Shop", "Other") };
  expect(await changedIn(files, "cart.rb")).toEqual(["Shop", "Shop.Cart", "Shop.Cart.add"]);
});

test("a module with functions is, unless many files open it", async () => {
  const few = { "a.rb": MIXIN, "b.rb": MIXIN, "c.rb": MIXIN };
  expect(await changedIn(few, "a.rb")).toEqual(["Priced", "Priced.price"]);
  const many = { ...few, "d.rb": MIXIN };
  expect(await changedIn(many, "a.rb")).toEqual(["Priced.price"]);
});
