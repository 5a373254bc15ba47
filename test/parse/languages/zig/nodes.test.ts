import { expect, test } from "vitest";

import { typesIn, usesIn } from "../../references/reference-lines.ts";

test("an assignment declares nothing", async () => {
  const uses = await usesIn("zig", "var total: u32 = 0;\nfn f() void {\n    total = 3;\n}\n");
  expect(uses).toEqual(["3 value total -> total in f"]);
});

test("each of several names is declared", async () => {
  const uses = await usesIn(
    "zig",
    "fn f() void {\n    const a, var b: u32 = g();\n    h(a, b);\n}\n",
  );
  expect(uses).toEqual(["2 call g in f", "3 call h in f"]);
});

test("lists of qualified types are those types", async () => {
  const uses = await usesIn(
    "zig",
    "fn f(a: []const b.C, d: [2]b.C) void {\n    a[0].e();\n    d[1].e();\n}\n",
  );
  expect(uses.filter((use) => use.includes(".e"))).toEqual([
    "2 call @b.C[].e in f",
    "3 call @b.C[].e in f",
  ]);
});

test("the value of a condition is that of one of its branches", async () => {
  expect(
    await typesIn(
      "zig",
      `const a = if (c) one.x else two.x;
const b = switch (c) { .x => one.y, else => unreachable };
const d = e: { if (c) break :e one.z; };
const f = g orelse h;
`,
    ),
  ).toEqual(["a one.x", "b one.y", "d one.z", "f g"]);
});
