import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

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

test("arguments beyond the last parameter are elements of the rest", async () => {
  const users = await usersIn({
    "src/types.ts": `export interface Plugin { setup: boolean }
export function use(name: string, ...plugins: Plugin[]): void {}
`,
    "src/use.ts": `import { use } from "./types.ts";
use("a", { setup: true });
use("a", plugin, {
  setup: false,
});
use(...names, { setup: true });
`,
  });
  expect(await users("Plugin.setup")).toEqual(["src/use.ts:2 value", "src/use.ts:4 value"]);
});

test("a function that is passed has the parameters that an overload declares for it", async () => {
  const users = await usersIn({
    "src/types.ts": `export interface Context { param: string }
export type Handler<T> = (context: Context) => T;
export type Middleware<T> = (context: Context, next: () => T) => T;
export type Any<T> = Handler<T> | Middleware<T>;
export interface Router {
  <T>(handler: Any<T>): Router
  <T>(path: string, handler: Any<T>): Router
  <T>(path: string, ...handlers: [Any<T>, Any<T>]): Router
}
export class App { get!: Router }
`,
    "src/use.ts": `import { App } from "./types.ts";
const app = new App();
app.get((context) => context.param);
app.get("/a", (context) => {
  context.param;
});
app.get("/b", (context) => {}, (context) => context.param);
`,
  });
  expect(await users("Context.param")).toEqual([
    "src/use.ts:3 value",
    "src/use.ts:5 value",
    "src/use.ts:7 value",
  ]);
});

test("a field of a type that is called, and another name of a function, have its result", async () => {
  const users = await usersIn({
    "src/types.ts": `export interface Box<T> { value: T }
interface Boxes {
  <T>(value: T): Box<T>
  <T>(value?: T, name?: string): Box<T | undefined>
}
interface Factory { box: Boxes; make: (size: number) => Box<number> }
export const factory: Factory = create();
export const isBox = create() as (one: unknown) => one is Box<string>;
`,
    "src/use.ts": `import { factory, isBox } from "./types.ts";
factory.box(1).value;
const make = factory.make;
make(2).value;
export function read(one: unknown) {
  if (isBox(one)) return one.value;
}
`,
  });
  expect(await users("Box.value")).toEqual([
    "src/use.ts:2 value",
    "src/use.ts:4 value",
    "src/use.ts:6 value",
  ]);
});
