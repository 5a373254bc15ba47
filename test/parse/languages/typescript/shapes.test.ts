import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

test("keys and parameters of callbacks lead to the members of declared types", async () => {
  const users = await usersIn({
    "src/types.ts": `export interface Options { size: number; onDone?: (result: Result) => void }
export interface Result { value: number }
export type Link = (opts: { op: Operation; next: (op: Operation) => Result }) => Result;
export interface Operation { path: string }
export function open(name: string, options: Options): void {}
export class Store { constructor(options: Options) {} }
export type Both = Options & { more: boolean };
`,
    "src/use.ts": `import { open, Store, type Both, type Link, type Options } from "./types.ts";
open("a", { size: 1, onDone(result) { result.value; } });
new Store({ size: 2, onDone: (result) => result.value });
const list: Options[] = [{ size: 3 }];
const link: Link = ({ op, next }) => next({ path: op.path });
const both: Both = { size: 4, more: true };
const other = { size: 5 };
function read(opts: { options: Options }) { return opts.options.size; }
`,
  });
  expect(await users("Options.size")).toEqual(
    [2, 3, 4, 6, 8].map((line) => `src/use.ts:${line} value`),
  );
  expect(await users("Result.value")).toEqual(["src/use.ts:2 value", "src/use.ts:3 value"]);
  expect(await users("Operation.path")).toEqual(["src/use.ts:5 value"]);
});

test("the class or the type that a call gets tells what it returns", async () => {
  const users = await usersIn({
    "src/types.ts": `export type Type<T> = new (...args: any[]) => T;
export function get<T>(name: string, type?: Type<T>): Promise<T> { throw 1; }
export function find<T>(name: string): T { throw 1; }
export class Failure { code = 1 }
`,
    "src/use.ts": `import { find, get, Failure } from "./types.ts";
export async function run() {
  const one = await get("a", Failure);
  one.code;
  find<Failure>("b").code;
  const none = await get("c");
  none.code;
}
`,
  });
  expect(await users("Failure.code")).toEqual([
    "src/use.ts:4 value",
    "src/use.ts:5 value",
    "src/use.ts:7 value ?",
  ]);
});

test("a key that is not among the picked members is another one", async () => {
  const users = await usersIn({
    "src/types.ts": "export interface Config { url: string; body: string }\n",
    "src/use.ts": `import type { Config } from "./types.ts";
function send(options: Pick<Config, "url"> & { body: number }) {}
send({
  url: "a",
  body: 1,
});
`,
  });
  expect(await users("Config.url")).toEqual(["src/use.ts:4 value"]);
  expect(await users("Config.body")).toEqual([]);
});
