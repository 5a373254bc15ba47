import { expect, test } from "vitest";

import { blockRule, parametersIn } from "../../../src/parse/styles/block-rules.ts";

test("rules with a block define functions, keyframes, classes and properties", () => {
  const { defined, locals } = blockRule("mixin", "button($size, $color: red)");
  expect(defined).toEqual({ name: "button", kind: "function" });
  expect([...(locals ?? [])]).toEqual(["$size", "$color"]);
  expect(blockRule("-webkit-keyframes", "fade").defined).toEqual({ name: "fade", kind: "section" });
  expect(blockRule("utility", "tab-4").defined).toEqual({ name: ".tab-4", kind: "section" });
  expect(blockRule("property", "--angle").defined).toEqual({ name: "--angle", kind: "constant" });
});

test("loops and included blocks have variables of their own", () => {
  expect([...(blockRule("each", "$name, $value in $sizes").locals ?? [])]).toEqual([
    "$name",
    "$value",
  ]);
  expect([...(blockRule("include", "each-size($a) using ($size)").locals ?? [])]).toEqual([
    "$size",
  ]);
  expect(blockRule("media", "(min-width: $wide)")).toEqual({ locals: undefined, isRead: true });
});

test("parameters of Less end in semicolons", () => {
  expect([...parametersIn(".m(@a; @b: 2px)")]).toEqual(["@a", "@b"]);
});
