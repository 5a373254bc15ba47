import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

test("fields of classes are literals if they are declared as such, or never change", async () => {
  const users = await usersIn({
    "src/types.ts": `export class A { readonly kind = "a"; size = 1 }
export class B { kind = "b" as const; size = 2 }
export class C { kind: "c" | ("d"); size = 3; constructor() { this.kind = "c" } }
export class D { kind = "a"; size = 4 }
`,
    "src/use.ts": `import { A, B, C, D } from "./types.ts";
export function run(one: A | B | C | D) {
  if (one.kind === "b") one.size;
}
`,
  });
  expect(await users("A.size")).toEqual([]);
  expect(await users("B.size")).toEqual(["src/use.ts:3 value"]);
  expect(await users("C.size")).toEqual([]);
  expect(await users("D.size")).toEqual(["src/use.ts:3 value"]);
});
