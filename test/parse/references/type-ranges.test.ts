import { expect, test } from "vitest";

import { usersIn } from "../../helpers/reference-users.ts";

test("a type and a value of one name have their own users", async () => {
  const users = await usersIn({
    "src/kind.ts": `export const Kind = { open: 1 } as const;
export type Kind = keyof typeof Kind;
export const one: Kind = "open";
export const all = [Kind.open];
`,
    "src/use.ts": `import { Kind } from "./kind.ts";
export function run(kind: Kind, all: (typeof Kind)[]) {
  return Kind.open;
}
`,
  });
  expect(await users("Kind")).toEqual([
    "src/kind.ts:2 value",
    "src/kind.ts:4 value",
    "src/use.ts:1 import",
    "src/use.ts:2 value",
    "src/use.ts:3 value",
  ]);
});

test("what `new` constructs is a value", async () => {
  const users = await usersIn({
    "src/pipe.ts": `export const Pipe = make();
export interface Pipe { size: number }
export const pipe = new Pipe();
`,
  });
  expect(await users("Pipe")).toEqual(["src/pipe.ts:3 call"]);
});
