import { expect, test } from "vitest";

import { importsIn, usesIn } from "../../references/reference-lines.ts";

const SOURCE = `defmodule A do
  alias B.C
  alias B.{D, E.F}
  alias B.Long.Name, as: N
  import B.Query, only: [from: 2]
  use B.Schema
  require Logger
  def run, do: {C.go(), C.Inner.go(), N.go(), X.Y.go(), X.Y.stop(), %F{}, %C.Inner{}}
end
defmodule X.Z do
  alias __MODULE__.Part
  defimpl C, for: D do
  end
end
`;

test("aliases, imports and names in full are imports of modules", async () => {
  expect(await importsIn("elixir", SOURCE)).toEqual([
    "2 B.C B.C>C",
    "3 B.D B.D>D",
    "3 B.E.F B.E.F>F",
    "4 B.Long.Name B.Long.Name>N",
    "5 B.Query B.Query>B.Query wildcard",
    "6 B.Schema B.Schema>B.Schema wildcard",
    "7 Logger Logger>Logger",
    "8 B.C.Inner B.C.Inner>C.Inner",
    "8 X.Y X.Y>X.Y",
  ]);
});

test("a use of a module has its name in full", async () => {
  const uses = await usesIn("elixir", SOURCE);
  expect(uses.filter((use) => use.startsWith("8 value"))).toEqual([
    "8 value B.C from 0 in A.run",
    "8 value B.C.Inner in A.run",
    "8 value B.Long.Name from 3 in A.run",
    "8 value X.Y in A.run",
    "8 value X.Y in A.run",
    "8 value B.E.F from 2 in A.run",
    "8 value B.C.Inner in A.run",
  ]);
  expect(uses.filter((use) => use.startsWith("1"))).toEqual(["12 value D in X.Z.C.D"]);
});
