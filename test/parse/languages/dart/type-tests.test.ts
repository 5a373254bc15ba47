import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

async function members(body: string): Promise<readonly string[]> {
  const uses = await usesIn("dart", `void run(Shape shape) {\n${body}\n}\n`);
  return uses.filter((use) => use.includes(".size")).map((use) => use.replace(" in run", ""));
}

test("conditions give a variable its type", async () => {
  expect(await members("if (shape is Circle) shape.size;")).toEqual([
    "2 value @Shape!@Circle.size",
  ]);
  expect(await members("if (shape is! Circle) return;\nshape.size;")).toEqual([
    "3 value @Shape!@Circle.size",
  ]);
  expect(await members("shape is Circle && shape.size > 1;")).toEqual([
    "2 value @Shape!@Circle.size",
  ]);
  expect(await members("final a = shape is Circle ? shape.size : 1;")).toEqual([
    "2 value @Shape!@Circle.size",
  ]);
  expect(await members("assert(shape is Circle);\nshape.size;")).toEqual([
    "3 value @Shape!@Circle.size",
  ]);
  expect(await members("if (shape is Circle) {} else { shape.size; }")).toEqual([
    "2 value @Shape.size",
  ]);
});

test("patterns give a variable its type", async () => {
  expect(await members("switch (shape) { case Circle(): shape.size; }")).toEqual([
    "2 value @Shape!@Circle.size",
  ]);
  expect(await members("final a = switch (shape) { Circle() => shape.size, _ => 1 };")).toEqual([
    "2 value @Shape!@Circle.size",
  ]);
  expect(await members("if (shape case Circle()) shape.size;")).toEqual([
    "2 value @Shape!@Circle.size",
  ]);
});
