import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a member of a union is one of each of its types", async () => {
  const users = await usersIn({
    "src/shapes.ts": `export interface Circle { kind: "circle"; radius: number; label: Label }
export interface Square { kind: "square"; side: number; label: Label }
export interface Label { text: string }
export type Shape = Circle | Square | undefined;
`,
    "src/use.ts": `import type { Circle, Shape, Square } from "./shapes.ts";
export function area(shape: Shape, all: (Circle | Square)[]): number {
  shape.kind;
  if (shape.kind === "circle") return shape.radius;
  return all[0].label.text;
}
`,
  });
  expect(await users("Circle.kind")).toEqual(["src/use.ts:3 value", "src/use.ts:4 value"]);
  expect(await users("Square.kind")).toEqual(["src/use.ts:3 value", "src/use.ts:4 value"]);
  expect(await users("Circle.radius")).toEqual(["src/use.ts:4 value"]);
  expect(await users("Label.text")).toEqual(["src/use.ts:5 value"]);
});

test("a member that some types of a union have is known by name", async () => {
  const users = await usersIn({
    "src/types.ts": `export class A { size = 1 }
export class B { size = 2 }
export class C { name = "" }
`,
    "src/use.ts": `import { A, B, C } from "./types.ts";
export function run(one: A | B | C) {
  one.size;
  if (one instanceof A) one.size;
  if (one instanceof C) one.name;
}
`,
  });
  expect(await users("A.size")).toEqual(["src/use.ts:3 value ?", "src/use.ts:4 value"]);
  expect(await users("B.size")).toEqual(["src/use.ts:3 value ?"]);
  expect(await users("C.name")).toEqual(["src/use.ts:5 value"]);
});

test("Python writes unions in two ways", async () => {
  const users = await usersIn({
    "app/store.py": `class Disk:
    def open(self): ...
class Memory:
    def open(self): ...
    def clear(self): ...
`,
    "app/use.py": `from typing import Optional, Union
from app.store import Disk, Memory
def run(one: Union[Disk, Memory], other: "Disk", third: Disk | Memory | None):
    one.open()
    third.clear()
`,
  });
  expect(await users("Disk.open")).toEqual(["app/use.py:4 call"]);
  expect(await users("Memory.open")).toEqual(["app/use.py:4 call"]);
  expect(await users("Memory.clear")).toEqual(["app/use.py:5 call"]);
});
