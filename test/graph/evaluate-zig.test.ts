import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const ITEM = `pub const Color = enum { red, green };
pub const Options = struct { color: Color = .red };
pub const Item = struct {
    color: Color,
    const Self = @This();
    pub const Kind = enum { small, big };
    pub fn init(options: Options) !?Item { return .{ .color = options.color }; }
    pub fn paint(self: *Self, color: Color, kind: Kind) void { self.color = color; }
};
`;

test("a file is a structure with its fields and functions", async () => {
  const users = await usersIn({
    "item.zig": ITEM,
    "Store.zig": `const std = @import("std");
const Item = @import("item.zig").Item;
const Store = @This();
first: ?*Item = null,
all: std.ArrayList(Item),
pub fn init() !Store { return Store{ .first = null }; }
pub fn get(self: *Store) ?*Item { return self.first; }
pub fn paint(self: *Store) void { for (self.all.items) |*one| one.paint(.red, .small); }
`,
    "use.zig": `const Store = @import("Store.zig");
fn f(stores: []Store) !void {
    var s = try Store.init();
    if (s.get()) |item| item.paint(.green, .big);
    stores[0].paint();
    for (stores) |one| one.paint();
    try s.all.append(.{ .color = .red });
}
`,
  });
  expect(await users("init", "Store.zig")).toEqual(["use.zig:3 call"]);
  expect(await users("get")).toEqual(["use.zig:4 call"]);
  expect(await users("first")).toEqual(["Store.zig:6 value", "Store.zig:7 value"]);
  expect(await users("paint", "Store.zig")).toEqual(["use.zig:5 call", "use.zig:6 call"]);
  expect(await users("Item.paint")).toEqual(["Store.zig:8 call", "use.zig:4 call"]);
  expect(await users("Item.color")).toEqual([
    "item.zig:7 value",
    "item.zig:8 value",
    "use.zig:7 value",
  ]);
});

test("parameters show the types of arguments, of methods too", async () => {
  const users = await usersIn({
    "item.zig": ITEM,
    "use.zig": `const items = @import("item.zig");
fn f(item: *items.Item) void {
    item.paint(.green, .big);
    items.Item.paint(item, .red, .small);
    _ = items.Item.init(.{ .color = .red });
}
`,
  });
  expect(await users("Color.green")).toEqual(["use.zig:3 value"]);
  expect(await users("Item.Kind.small")).toEqual(["use.zig:4 value"]);
  expect(await users("Item.Kind.big")).toEqual(["use.zig:3 value"]);
  expect(await users("Options.color")).toEqual(["item.zig:7 value", "use.zig:5 value"]);
});

test("a generic type is a function with members", async () => {
  const users = await usersIn({
    "list.zig": `pub fn List(comptime T: type) type {
    return struct {
        head: ?T,
        const Self = @This();
        pub const Node = struct { next: ?*Node };
        pub fn push(self: *Self, node: Node) void { self.push(node.next.?.*); }
    };
}
pub const Bytes = List(u8);
`,
    "use.zig": `const list = @import("list.zig");
fn f(a: list.List(u32), b: *list.Bytes) void {
    a.push(1);
    b.push(1);
    list.List(u8).push(a, .{ .next = null });
    _ = list.List(u8){ .head = null };
}
`,
  });
  expect(await users("List.push")).toEqual([
    "list.zig:6 call",
    "use.zig:3 call",
    "use.zig:4 call",
    "use.zig:5 call",
  ]);
  expect(await users("List.Node.next")).toEqual(["list.zig:6 value", "use.zig:5 value"]);
  expect(await users("List.head")).toEqual(["use.zig:6 value"]);
});

test("captures of a switch have the types of the fields of a union, also without names", async () => {
  const users = await usersIn({
    "a.zig": `const Box = struct { size: u32 };
const Shape = union(enum) { box: Box, other: struct { width: u32, kind: enum { flat, high } }, none };
fn f(shape: Shape) void {
    switch (shape) {
        .box => |box| g(box.size),
        .other => |*other| if (other.kind == .flat) g(other.width),
        .none => unreachable,
    }
}
fn g(x: u32) void {}
`,
  });
  expect(await users("Box.size")).toEqual(["a.zig:5 value"]);
  expect(await users("Shape.other.width")).toEqual(["a.zig:6 value"]);
  expect(await users("Shape.other.kind.flat")).toEqual(["a.zig:6 value"]);
  expect(await users("Shape.none")).toEqual(["a.zig:7 value"]);
});
