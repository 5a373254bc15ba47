import { expect, test } from "vitest";

import { chunk } from "../../chunk/helpers.ts";

/** Returns `qualified name shape` for the symbols that have one. */
async function shapesIn(source: string): Promise<readonly string[]> {
  const { symbols, references } = await chunk("typescript", source);
  return symbols.flatMap(({ qualifiedName }, symbol) => {
    const shape = references.signatures?.[symbol] ?? "";
    return shape === "" ? [] : [`${qualifiedName} ${shape}`];
  });
}

test("functions, methods, fields and aliases have the shapes of their types", async () => {
  expect(
    await shapesIn(`export type Link = (opts: { op: Operation; next(op: Operation): Result }, ...rest: Foo[]) => Result;
export interface Handler { (a: A): B; on?: (x: X) => void; plain: string }
export function open(options: Options | undefined, n = 1): Store {}
export class Store { constructor(private readonly options: Options) {} read = (key: Key): Value => {}; }
export const run: (task: Task) => void = () => {};
export type Both = A & { b: B } & Omit<C, "x" | "y">;
`),
  ).toEqual([
    "Link {<op=@Operation,next={@Operation}@Result>,*@Foo*}@Result",
    "Handler {@A}@B",
    "Handler.on {@X}",
    "open {@Options,}@Store",
    "Store.constructor {@Options}",
    "Store.read {@Key}@Value",
    "run {@Task}",
    "Both [[@A&<b=@B>]&-x;y:@C]",
  ]);
});

test("a parameter of overloads may be of each type that it has in one of them", async () => {
  expect(
    await shapesIn(`export function open(name: Name, options: Options): A;
export function open(name: Name, size: Size): B;
export function open(name: any, options: any): any { return name; }
`),
  ).toEqual(["open {@Name,[@Options&@Size]}"]);
});

test("a type parameter is itself in a shape, with its bound where the function gets a value", async () => {
  expect(
    await shapesIn(`export function pick<T extends Foo>(from: T, each: (one: T) => void): T[] { return []; }
export function get<T>(type: Type<T>): T { throw 1; }
export type Type<T> = new (...args: any[]) => T;
export function make<T>(): T { throw 1; }
export function isFoo(value: unknown): value is Foo { return true; }
`),
  ).toEqual([
    "pick {'f0=@Foo',{'f0'}}'f0'*",
    "get {@Type<:'f0'>}$0Type",
    "Type new",
    "make {}'f0'",
    "isFoo {}%@Foo",
  ]);
});
