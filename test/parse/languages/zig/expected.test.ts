import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

async function dotted(body: string): Promise<readonly string[]> {
  const uses = await usesIn("zig", `fn run(c: Color) !?Shape {\n${body}\n}\n`);
  return uses.flatMap((use) => /@?(\S+\.x\d)\b/.exec(use)?.[1] ?? []);
}

test("names after a dot have the type that is expected", async () => {
  expect(await dotted("const a: Color = .x1; var b = c; b = .x2;")).toEqual([
    "Color.x1",
    "Color.x2",
  ]);
  expect(await dotted("if (c == .x1 or .x2 != c) {}")).toEqual(["Color.x1", "Color.x2"]);
  expect(await dotted("return .x1;")).toEqual(["Shape.x1"]);
  expect(await dotted("return if (a) .x1 else .{ .x2 = 1 };")).toEqual(["Shape.x1", "Shape.x2"]);
  expect(await dotted("switch (c) { .x1, .x2 => {}, .x3 => unreachable }")).toEqual([
    "Color.x1",
    "Color.x2",
    "Color.x3",
  ]);
  expect(await dotted("const d: Shape = switch (c) { .x1 => .x2, else => .x3 };")).toEqual([
    "Color.x1",
    "Shape.x2",
    "Shape.x3",
  ]);
  expect(await dotted("const d: Shape = q: { break :q .x1; };")).toEqual(["Shape.x1"]);
  expect(await dotted("paint(c, .x1); lib.paint(.{ .x2 = 3 });")).toEqual([
    "paint{1/2}.x1",
    "lib.paint{0/1}.x2",
  ]);
  expect(await dotted("try std.testing.expectEqual(.x1, c);")).toEqual(["Color.x1"]);
  expect(await dotted("const d: Color = .x1(3); const e = try f() orelse .x2;")).toEqual([
    "Color.x1",
    "f().x2",
  ]);
  expect(await dotted("const d = @as(Color, .x1);")).toEqual(["Color.x1"]);
});

test("fields of literals are those of their type, also inside of one another", async () => {
  expect(await dotted("const a = Box{ .x1 = .{ .x2 = .x3 } };")).toEqual([
    "Box.x1",
    "Box.x1.x2",
    "Box.x1.x2.x3",
  ]);
  expect(await dotted("const a = [_]Box{ .{ .x1 = 1 }, .x2 };")).toEqual(["Box.x1", "Box.x2"]);
});

test("a name without an expected type has an unknown object", async () => {
  expect(await dotted("log(.{ .x1 = 3 }); const a = .x2;")).toEqual(["log{0/1}.x1", "?.x2"]);
});

test("of a call with thousands of arguments, nothing is expected, and it takes linear time", async () => {
  const many = await dotted(`paint(${".x1, ".repeat(30_000)});`);
  expect([many.length, new Set(many)]).toEqual([30_000, new Set(["?.x1"])]);
  expect(await dotted(`paint(${".x1, ".repeat(3)}c);`)).toEqual([
    "paint{0/4}.x1",
    "paint{1/4}.x1",
    "paint{2/4}.x1",
  ]);
});
