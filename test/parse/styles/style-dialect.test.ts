import { expect, test } from "vitest";

import { styleSyntax } from "../../../src/parse/styles/style-dialect.ts";

test("the syntax of a style sheet by its ending or its language", () => {
  expect(styleSyntax("SCSS")).toEqual({ dialect: "scss", isIndented: false });
  expect(styleSyntax("sass")).toEqual({ dialect: "scss", isIndented: true });
  expect(styleSyntax("postcss")).toEqual({ dialect: "css", isIndented: false });
  expect(styleSyntax("styl")).toBeUndefined();
  expect(styleSyntax("constructor")).toBeUndefined();
});
