import { expect, test } from "vitest";

import { chunk } from "../../../chunk/helpers.ts";

async function marksIn(source: string): Promise<readonly string[]> {
  const { references, symbols } = await chunk("zig", source);
  return (references.signatures ?? []).flatMap((mark, at) =>
    mark === "" ? [] : [`${symbols[at]?.qualifiedName} ${mark}`],
  );
}

test("functions have the types of their parameters", async () => {
  expect(
    await marksIn(`const A = struct {
    fn f(self: *@This(), one: []const a.B, two: !?*C, three: List(u8), four: fn () void, five: u32) void {}
    fn g(self: Self) void {}
};
`),
  ).toEqual(["A.f (Self,a.B*,C,List(),,u32)", "A.g (Self)"]);
});

test("names of errors are marked", async () => {
  expect(await marksIn("const E = error{ NotFound, Closed };\n")).toEqual([
    "E.NotFound error",
    "E.Closed error",
  ]);
});
