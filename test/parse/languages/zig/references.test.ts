import { describe, expect, it } from "vitest";

import { typesIn, usesIn } from "../../references/reference-lines.ts";

function zig(source: string): Promise<readonly string[]> {
  return usesIn("zig", source);
}

describe("uses in Zig", () => {
  it("exclude locals, parameters, captures, labels and `_`", async () => {
    expect(
      await zig(`fn run(a: u32, comptime T: type) void {
    const b, var c = .{ a, T };
    for (a, 0..) |d, i| log(b, c, d, i);
    while (a) |e| : (c += 1) log(e);
    if (a) |f| log(f) else |g| log(g);
    switch (a) { 1 => |h| log(h), else => |j| log(j) }
    outer: while (true) break :outer;
    _ = a catch |k| log(k);
}
`),
    ).toEqual([
      "3 call log in run",
      "4 call log in run",
      "5 call log in run",
      "5 call log in run",
      "6 call log in run",
      "6 call log in run",
      "8 call log in run",
    ]);
  });

  it("have the types of locals as receivers", async () => {
    const uses =
      await zig(`fn run(store: *Store, items: []const Item, list: std.ArrayList(Item)) !void {
    store.a();
    const made = try Store.init(1);
    made.b();
    const built = Store{};
    built.c();
    for (items, 0..) |item, i| item.d(i);
    list.items[0].e();
    const maybe: ?*Item = null;
    if (maybe) |one| one.f();
    maybe.?.g();
    (maybe orelse return).h();
    const found = blk: {
        break :blk store;
    };
    found.i();
    const new = try allocator.create(Item);
    new.j();
    const part = items[1..2];
    part[0].k();
}
`);
    expect(uses.filter((use) => /\.[a-k]\b/.test(use))).toEqual([
      "2 call @Store.a in run",
      "4 call Store.init().b in run",
      "6 call @Store.c in run",
      "7 call @Item.d in run",
      "8 call @Item*.items[].e in run",
      "10 call @Item.f in run",
      "11 call @Item.g in run",
      "12 call @Item.h in run",
      "16 call @Store.i in run",
      "18 call @Item.j in run",
      "20 call @Item.k in run",
    ]);
  });

  it("of fields and bare names do not meet", async () => {
    expect(
      await zig(`const size = 1;
const Box = struct {
    size: u32 = size,
    const other = size;
    fn grow(self: *@This()) void {
        self.size = other + size;
    }
};
`),
    ).toEqual([
      "3 value size -> size in Box.size",
      "4 value size -> size in Box.other",
      "6 value #1.size in Box.grow",
      "6 value other -> Box.other in Box.grow",
      "6 value size -> size in Box.grow",
    ]);
  });
});

describe("types of symbols of Zig", () => {
  it("tell objects and other names of types apart", async () => {
    expect(
      await typesIn(
        "zig",
        `const Node = Ast.Node;
const one: Node = make();
const two = make();
const Color = enum { red };
const Shape = union(enum) { item: []const Item, none };
fn make() !?Node {}
fn open(self: Self) void {}
const Self = @This();
fn List(comptime T: type) type {
    return struct {
        head: ?*Node,
        const Me = @This();
        fn me(self: *Me) *Me {
            return self;
        }
    };
}
fn Other() type {
    return List(u8);
}
`,
      ),
    ).toEqual([
      "Node Ast.Node",
      "one @Node",
      "two make()",
      "Color.red #3",
      "Shape.item @Item*",
      "Shape.none #5",
      "make @Node",
      "open @void",
      "List.head @Node",
      "List.me #10",
      "Other @List",
    ]);
  });
});

it("hostile texts end", async () => {
  for (const part of [
    "(",
    "{",
    ".{",
    "fn(",
    "a.b.",
    "a orelse ",
    "if (a) ",
    "@as(",
    "x: {",
    "f(.a);",
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time
    const uses = await zig(`fn f() type { ${part.repeat(200_000 / part.length)}`);
    expect(uses.length).toBeLessThan(200_000);
  }
}, 60_000);
