import { expect, test } from "vitest";

import { withSelectors } from "../../../../src/parse/languages/objc/selectors.ts";
import { parseLineOutline } from "../../../../src/parse/symbols/line-outline.ts";
import { splitLines } from "../../../../src/parse/text-lines.ts";

function definitionsIn(...text: readonly string[]): readonly string[] {
  const lines = splitLines(text.join("\n"));
  return withSelectors(parseLineOutline(lines, "objc"), lines).definitions.map(
    ({ kind, owner = "", name }) => `${kind} ${owner} ${name}`,
  );
}

test("methods have their selectors and classes", () => {
  expect(
    definitionsIn(
      "@implementation Store",
      "- (void)open:(NSString *)path",
      "        mode:(int (^)(int))mode {",
      "}",
      "+ (instancetype)shared {",
      "}",
      "@end",
      "int twice(int x) {",
      "}",
    ),
  ).toEqual(["class  Store", "method Store open:mode:", "method Store shared", "function  twice"]);
});

test("properties between declarations belong to the class", () => {
  expect(
    definitionsIn(
      "@interface Store : NSObject",
      "- (void)open:(int)path;",
      "@property (nonatomic) int size;",
      "- (void (^)(int))handler;",
      "@end",
    ),
  ).toEqual(["class  Store", "method Store open:", "field Store size", "method Store handler"]);
});
