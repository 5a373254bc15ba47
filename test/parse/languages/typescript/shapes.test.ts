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
