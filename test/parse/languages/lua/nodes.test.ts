import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

async function selves(source: string): Promise<readonly string[]> {
  const uses = await usesIn("lua", source);
  return uses.flatMap((use) => / (\S+)\.x\b/.exec(use)?.[1] ?? []);
}

test("self is the table of a method, what the function assigns to it, or unknown", async () => {
  expect(await selves("local A = {}\nfunction A:m() self.x() end\n")).toEqual(["#0"]);
  expect(
    await selves("local A = {}\nA.m = function(self) self.x() end\nfunction A:n() end\n"),
  ).toEqual(["#0"]);
  expect(await selves("local A = {}\nfunction A:m() return function() self.x() end end\n")).toEqual(
    ["#0"],
  );
  expect(await selves("local A = {}\nfunction A.m() local self = B.new() self.x() end\n")).toEqual([
    "B.new()",
  ]);
  expect(await selves("local f = function(self) self.x() end\n")).toEqual(["?"]);
});

test("loops have the elements of lists", async () => {
  const uses = await usesIn(
    "lua",
    "for k, v in pairs(a.list) do k.x() v.y() end\nfor z in next_one() do z.y() end\n",
  );
  expect(uses.filter((use) => /\.[xy]$/.test(use))).toEqual([
    "1 call ?.x",
    "1 call a.list[].y",
    "2 call ?.y",
  ]);
});
