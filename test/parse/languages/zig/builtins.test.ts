import { expect, test } from "vitest";

import { importsIn, typesIn, usesIn } from "../../references/reference-lines.ts";

test("imports bind files, also inside of expressions", async () => {
  const source = `const std = @import("std");
const a = @import("a.zig");
_ = @import("b.zig");
const C = @import("dir/c.zig").C;
usingnamespace @import("d.zig");
const text = "e.zig";
fn f() void {
    @import("f.zig").run();
    a.open();
}
`;
  expect(await importsIn("zig", source)).toEqual([
    "1 std *>std",
    "2 a.zig *>a",
    "3 b.zig *>import b_zig",
    "4 dir/c.zig *>import dir/c_zig",
    "5 d.zig wildcard reexport",
    "8 f.zig *>import f_zig",
  ]);
  expect(await usesIn("zig", source)).toEqual([
    "4 value import dir/c_zig.C in C",
    "8 call import f_zig.run in f",
    "9 value a from 1 in f",
    "9 call a.open in f",
  ]);
});

test("builtins have the type of their argument, or of the container around them", async () => {
  const source = `const A = struct {
    one: @This(),
    two: @TypeOf(b),
    three: u32 = @as(u32, 3),
};
const four = @as(*A, x);
const five = @sizeOf(A);
const b: A = x;
const list = std.ArrayList(A).init(a);
const map: std.AutoHashMap(u32, *A) = x;
const made = gpa.create(A);
const many = self.allocator.alloc(A, 3);
const other = store.create(A);
`;
  expect(await typesIn("zig", source)).toEqual([
    "A.one #0",
    "A.two @b",
    "A.three @u32",
    "four @A",
    "b @A",
    "list @A*.init()",
    "map @A*",
    "made @A",
    "many @A*",
    "other store.create()",
  ]);
});
