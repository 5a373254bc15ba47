// References of Elixir between files.
import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("aliases, imports, names in full and what `use` passes on lead to functions of modules", async () => {
  const users = await usersIn({
    "lib/shop/cart.ex": `defmodule Shop.Cart do
  def total(cart), do: sum(cart)
  def add(cart, item), do: [item | cart]
  defp sum(cart), do: length(cart)
  defmodule Line do
    def price(line), do: line.price
  end
end
`,
    "lib/shop/checkout.ex": `defmodule Shop.Checkout do
  alias Shop.Cart
  alias Shop.Cart, as: Basket
  def pay(cart) do
    cart |> Cart.add(:bag) |> Basket.total()
    Shop.Cart.Line.price(hd(cart))
    cart.total
    Cart.unknown(cart)
  end
end
`,
    "lib/shop/case.ex": `defmodule Shop.Case do
  defmacro __using__(_) do
    quote do
      import Shop.Cart
    end
  end
end
`,
    "test/cart_test.exs": `defmodule Shop.CartTest do
  use Shop.Case
  import Other.Library
  test "adds" do
    assert add([], :bag) |> total() == 1
  end
  def add_all(items), do: Enum.reduce(items, [], &add(&2, &1))
end
`,
  });

  const names = ["total", "add", "sum", "Line.price"].map((name) => `Shop.Cart.${name}`);
  const found = names.map(async (name) => [name, await users(name)] as const);
  expect(Object.fromEntries(await Promise.all(found))).toEqual({
    "Shop.Cart.total": ["lib/shop/checkout.ex:5 call", "test/cart_test.exs:5 call"],
    "Shop.Cart.add": [
      "lib/shop/checkout.ex:5 call",
      "test/cart_test.exs:5 call",
      "test/cart_test.exs:7 call",
    ],
    "Shop.Cart.sum": ["lib/shop/cart.ex:2 call"],
    "Shop.Cart.Line.price": ["lib/shop/checkout.ex:6 call"],
  });
  expect(await users("Shop.Cart")).toEqual([
    "lib/shop/case.ex:4 import",
    "lib/shop/checkout.ex:2 import",
    "lib/shop/checkout.ex:3 import",
    "lib/shop/checkout.ex:5 value",
    "lib/shop/checkout.ex:8 value",
  ]);
});

test("functions of other modules, of libraries and of Kernel are no uses of a function with their name", async () => {
  const users = await usersIn({
    "lib/shop/cart.ex": `defmodule Shop.Cart do
  def fetch(cart, key), do: Map.fetch(cart, key)
  def send(cart), do: send(self(), cart)
end
`,
    "lib/shop/store.ex": `defmodule Shop.Store do
  import Ecto.Query
  def fetch(id), do: id
  def load(id, store) do
    fetch(id)
    Keyword.fetch(id, :a)
    store.fetch
    send(self(), id)
    build(id)
  end
end
`,
    "lib/shop/order.ex": "defmodule Shop.Order do\n  def build(id), do: id\nend\n",
  });
  expect(await users("Shop.Cart.fetch")).toEqual([]);
  expect(await users("Shop.Cart.send")).toEqual([]);
  expect(await users("Shop.Order.build")).toEqual([]);
  expect(await users("Shop.Store.fetch")).toEqual(["lib/shop/store.ex:5 call"]);
});

test("a module that several files define is not exact", async () => {
  const users = await usersIn({
    "a/cart.ex": "defmodule Cart do\n  def add(one), do: one\nend\n",
    "b/cart.ex": "defmodule Cart do\n  def add(one), do: one\nend\n",
    "main.ex": "defmodule Main do\n  def run, do: Cart.add(1)\nend\n",
  });
  expect(await users("Cart.add")).toEqual(["main.ex:2 call ?"]);
});
