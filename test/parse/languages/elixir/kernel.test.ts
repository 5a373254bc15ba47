import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

async function callsIn(body: string, before = ""): Promise<readonly string[]> {
  const uses = await usesIn(
    "elixir",
    `defmodule A do\n  ${before}\n  def run(x), do: ${body}\nend\n`,
  );
  return uses.filter((use) => use.startsWith("3 "));
}

test.each([
  ["send(x, 1)", []],
  ["send(x)", ["3 call send in A.run"]],
  ["x |> send(1)", []],
  ["x |> send", ["3 value send in A.run"]],
  ["div(x, 2)", []],
  ["if(x, do: 1)", []],
])("%s is a use if Kernel has no such function", async (body, expected) => {
  expect(await callsIn(body)).toEqual(expected);
});

test("a name that a module does not import from Kernel is its own", async () => {
  const before = "import Kernel, except: [div: 2, round: 1]";
  expect(await callsIn("div(x, 2)", before)).toEqual(["3 call div in A.run"]);
  expect(await callsIn("max(x, 2)", before)).toEqual([]);
});
