import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a use of another name of a definition is a use of the definition too", async () => {
  const users = await usersIn({
    "ast.zig": "pub const Node = struct { pub fn open() void {} };\n",
    "lib.zig": `const ast = @import("ast.zig");
pub const Node = ast.Node;
pub const Other = Node;
pub const one: Node = .{};
`,
    "use.zig": `const lib = @import("lib.zig");
const Node = lib.Node;
fn f(node: *Node) void { node.open(); _ = lib.one; }
`,
  });
  expect(await users("Node", "ast.zig")).toEqual([
    "lib.zig:2 value",
    "lib.zig:3 value",
    "lib.zig:4 type",
    "use.zig:2 value",
    "use.zig:3 type",
  ]);
  expect(await users("Node.open")).toEqual(["use.zig:3 call"]);
  expect(await users("one")).toEqual(["use.zig:3 value"]);
});

test("an error has its name in all sets", async () => {
  const users = await usersIn({
    "a.zig": "pub const A = error{ NotFound, Closed };\nconst NotFound = 3;\n",
    "b.zig": `const B = error{NotFound};
fn f() !void { return error.NotFound; }
fn g() void { f() catch |e| switch (e) { error.NotFound => {}, error.OutOfMemory => {} }; }
`,
  });
  expect(await users("A.NotFound")).toEqual(["b.zig:2 value", "b.zig:3 value"]);
  expect(await users("B.NotFound")).toEqual(["b.zig:2 value", "b.zig:3 value"]);
  expect(await users("NotFound")).toEqual([]);
});

test("a member of an unknown object is one by name, unless lists have it", async () => {
  const users = await usersIn({
    "a.zig": `const Box = struct { size: u32, len: u32 };
fn f(x: anytype, box: Box) void { _ = x.size; _ = x.len; _ = box.len; }
`,
  });
  expect(await users("Box.size")).toEqual(["a.zig:2 value ?"]);
  expect(await users("Box.len")).toEqual(["a.zig:2 value"]);
});
