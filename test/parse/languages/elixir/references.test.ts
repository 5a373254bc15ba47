import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

const SOURCE = `defmodule Shop.Cart do
  use Shop.Schema
  alias Shop.{Item, Price}
  import Ecto.Query
  @behaviour Shop.Basket
  @limit 10

  @spec add(t(), Item.t()) :: {:ok, t()}
  def add(%__MODULE__{items: items} = cart, %Item{} = item) when is_map(item) do
    total = Price.sum(items) + fee(item)
    cart.items |> Enum.map(&fee/1) |> check(@limit)
    Shop.Long.Name.go(total.value)
    item.module.run(cart)
    __MODULE__.remove(cart, item)
    if open, do: total, else: to_string(total)
  end

  def remove(cart, item), do: List.delete(cart.items, item)
  defp fee(item) when is_nil(item), do: 0
  defp fee(item), do: item.price
end
`;

test("calls, captures, attributes and modules are uses, and variables, fields and heads of definitions are not", async () => {
  expect(await usesIn("elixir", SOURCE)).toEqual([
    "2 import Shop.Schema from 0 in Shop.Cart",
    "3 import Shop.Item from 1 in Shop.Cart",
    "3 import Shop.Price from 2 in Shop.Cart",
    "4 import Ecto.Query from 3 in Shop.Cart",
    "5 value Shop.Basket in Shop.Cart",
    "8 call t in Shop.Cart",
    "8 value Shop.Item from 1 in Shop.Cart",
    "8 call Item.t in Shop.Cart",
    "8 call t in Shop.Cart",
    "9 value Shop.Item from 1 in Shop.Cart.add",
    "10 value Shop.Price from 2 in Shop.Cart.add",
    "10 call Price.sum in Shop.Cart.add",
    "10 call fee -> Shop.Cart.fee in Shop.Cart.add",
    "11 value Enum in Shop.Cart.add",
    "11 call Enum.map in Shop.Cart.add",
    "11 value fee -> Shop.Cart.fee in Shop.Cart.add",
    "11 call check in Shop.Cart.add",
    "11 value @limit in Shop.Cart.add",
    "12 value Shop.Long.Name in Shop.Cart.add",
    "12 call Shop.Long.Name.go in Shop.Cart.add",
    "13 call ?.run in Shop.Cart.add",
    "14 call #0.remove in Shop.Cart.add",
    "18 value List in Shop.Cart.remove",
    "18 call List.delete in Shop.Cart.remove",
  ]);
});
