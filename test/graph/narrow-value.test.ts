import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const SHAPES = `export enum Level { Low, High }
export interface Circle { kind: "circle"; level: Level.Low; open: true; size: number; radius: number }
export interface Square { kind: "square"; level: Level.High; open: false; size: number }
export interface Disk { kind: "disk" | "ring"; level: Level; open?: true; size: number }
export type Shape = Circle | Square | Disk;
`;

test("a member that is a literal tells the type of a union", async () => {
  const users = await usersIn({
    "src/shapes.ts": SHAPES,
    "src/use.ts": `import { Level, type Shape } from "./shapes.ts";
export function run(shape: Shape, all: { of: Shape }) {
  if (shape.kind === "circle") shape.size;
  else shape.size;
  if (shape.level === Level.High) shape.size;
  if (!shape.open) return shape.size;
  shape.size;
  if (all.of.kind !== "circle" && "disk" !== all.of.kind) all.of.size;
  switch (shape.kind) {
    case "square":
    case "ring":
      return shape.size;
    default:
      shape.size;
  }
  if (shape.kind === "square" || shape.kind === "circle") shape.size;
  if ("radius" in shape) shape.size;
}
`,
  });
  const lines = async (name: string): Promise<readonly number[]> => {
    const found = await users(name);
    return found.filter((use) => !use.endsWith("?")).map((use) => Number(/:(\d+)/.exec(use)?.[1]));
  };
  expect(await lines("Circle.size")).toEqual([3, 7, 14, 16, 17]);
  expect(await lines("Square.size")).toEqual([4, 5, 6, 8]);
  // Only "ring" remains of a disk in line 8. Only open shapes reach line 7 and the lines after it.
  expect(await lines("Disk.size")).toEqual([4, 5, 6, 7, 8, 12, 14]);
});

test("what a condition excludes is left out, and what it tests may be unknown before", async () => {
  const users = await usersIn({
    "src/types.ts": `export class Node { name = ""; isLeaf(): this is Leaf { return false } }
export class Leaf extends Node { text = ""; override isLeaf(): this is Leaf { return true } }
export class Other { text = "" }
export const isOther = (one: unknown): one is Other => one instanceof Other;
`,
    "src/use.ts": `import { isOther, Leaf, Node, Other } from "./types.ts";
export function run(one: Leaf | Other, node: Node, any: any) {
  if (isOther(one)) return;
  one.text;
  if (node.isLeaf()) node.text;
  if (any.of.it instanceof Leaf) any.of.it.text.length;
  const found = any.find();
  return found instanceof Other && found.text;
}
`,
  });
  expect(await users("Leaf.text")).toEqual([
    "src/use.ts:4 value",
    "src/use.ts:5 value",
    "src/use.ts:6 value",
  ]);
  expect(await users("Other.text")).toEqual(["src/use.ts:8 value"]);
});
