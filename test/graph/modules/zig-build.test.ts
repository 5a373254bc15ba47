import { expect, test } from "vitest";

import { namedModules } from "../../../src/graph/modules/zig-build.ts";

test("modules have names where they are made, added or listed", () => {
  const text = `const one = b.addModule("one", .{
    .root_source_file = b.path("src/one.zig"),
    .target = target,
});
const two = b.createModule(.{ .root_source_file = b.path("src/two.zig") });
exe.root_module.addImport("deux", two);
const exe = b.addExecutable(.{ .name = "exe", .root_module = b.createModule(.{
    .root_source_file = b.path("src/main.zig"),
    .imports = &.{ .{ .name = "zwei", .module = two } },
}) });
lib.addModule("old", .{ .source_file = .{ .path = "src/old.zig" } });
exe.addAnonymousModule("four", .{ .source_file = .{ .path = "src/four.zig" } });
test_exe.root_module.addImport("duo", options.two);
exe.root_module.addImport("foreign", dependency.module("foreign"));
const options = b.addOptions();
`;
  const found = namedModules(text).map(({ name, path }) => `${name} ${path}`);
  expect([...new Set(found)]).toEqual([
    "one src/one.zig",
    "old src/old.zig",
    "deux src/two.zig",
    "four src/four.zig",
    "duo src/two.zig",
    "zwei src/two.zig",
  ]);
});

test("hostile texts end", () => {
  for (const part of ["b.addModule(", ".name = ", 'x.addImport("a", ', "const a = ", "   "]) {
    expect(namedModules(part.repeat(200_000 / part.length))).toEqual([]);
  }
});
