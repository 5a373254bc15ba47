import { expect, test } from "vitest";

import { describeTarget, importer, resolverOf } from "./tree-of.ts";

const BUILD = `const std = @import("std");
pub fn build(b: *std.Build) void {
    _ = b.addModule("shop", .{ .root_source_file = b.path("src/root.zig") });
}
`;

test("imports are files, and names of the nearest build.zig", () => {
  const files = [
    "src/root.zig",
    "src/a/item.zig",
    "src/main.zig",
    "other/src/root.zig",
    "other/main.zig",
  ];
  const resolver = resolverOf({ files, configs: { "build.zig": BUILD, "other/build.zig": BUILD } });
  const from = (path: string, module: string): string =>
    describeTarget(resolver, importer(path), module);
  expect(from("src/main.zig", "a/item.zig")).toBe("src/a/item.zig");
  expect(from("src/a/item.zig", "../main.zig")).toBe("src/main.zig");
  expect(from("src/main.zig", "none.zig")).toBe("unknown");
  expect(from("src/main.zig", "shop")).toBe("src/root.zig");
  expect(from("other/main.zig", "shop")).toBe("other/src/root.zig");
  expect(from("src/main.zig", "std")).toBe("external");
  expect(from("src/main.zig", "elsewhere")).toBe("external");
  expect(resolver.lastPartsOf("src/root.zig", "zig")).toEqual(["root", "zig", "shop"]);
});
