import { expect, test } from "vitest";

import {
  isKnownShape,
  isOpenExpression,
  parseShape,
  passedClass,
  passedClassText,
  shapeText,
  testedType,
  testText,
} from "../../src/base/type-shape.ts";

const TEXTS = [
  "@Foo",
  "{}@Foo",
  "{@Foo,,@Bar}",
  "{@Foo,*@Bar*}@Baz",
  "{,}",
  "<a=@Foo,b={@Bar}<c=@Baz>>",
  "[@Foo&<a=@Bar[]>&-x;y:@Baz]",
  "+a;b:{@Foo}",
  "{@Foo.on{0}{1}}open{0}",
];

test("a shape is the same after it was written and read", () => {
  for (const text of TEXTS) expect(shapeText(parseShape(text))).toBe(text);
});

test("the parameters of a function and the members of an object are shapes", () => {
  expect(parseShape("{<op=@Operation>,}@Result")).toEqual({
    kind: "function",
    parameters: [
      { kind: "object", members: new Map([["op", { kind: "value", expression: "@Operation" }]]) },
      { kind: "value", expression: "" },
    ],
    hasRest: false,
    result: { kind: "value", expression: "@Result" },
  });
});

test("a text that ends too early is read to its end", () => {
  for (const text of ["{@Foo", "<a=", "<a", "[@Foo&", "-x", "{{<"]) {
    expect(() => parseShape(text)).not.toThrow();
  }
});

test("a shape is known if a part of it is", () => {
  expect(TEXTS.map((text) => isKnownShape(parseShape(text)))).toEqual(
    TEXTS.map((text) => text !== "{,}"),
  );
});

test("the result of a function may depend on the call", () => {
  expect(passedClass(passedClassText({ argument: 1, type: "Type" }))).toEqual({
    argument: 1,
    type: "Type",
  });
  expect(passedClass(passedClassText({ argument: -1, type: "" }))).toEqual({
    argument: -1,
    type: "",
  });
  expect(passedClass("@Foo")).toBeUndefined();
  expect(testedType(testText("@Foo"))).toBe("@Foo");
  expect(testedType("@Foo")).toBeUndefined();
  expect(["$1Type", "%@Foo", "", "@Foo"].map(isOpenExpression)).toEqual([true, true, true, false]);
});
