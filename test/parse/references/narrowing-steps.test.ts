import { expect, test } from "vitest";

import { usersIn } from "../../helpers/reference-users.ts";

test("a condition counts only for the variable that it is about", async () => {
  const users = await usersIn({
    "src/use.ts": `class A { size = 1 }
class B { size = 2 }
export function run(one: A | B, other: A | B) {
  if (one instanceof A) {
    one.size;
    other.size;
    [other].map((one) => one.size);
    const later = () => one.size;
  }
  if (other instanceof A) {
    const later = () => other.size;
    other = new B();
  }
}
`,
  });
  expect(await users("B.size")).toEqual([
    "src/use.ts:6 value",
    "src/use.ts:7 value",
    "src/use.ts:11 value",
  ]);
  expect(await users("A.size")).toEqual([
    "src/use.ts:5 value",
    "src/use.ts:6 value",
    "src/use.ts:7 value",
    "src/use.ts:8 value",
    "src/use.ts:11 value",
  ]);
});

test("a chain of thousands of members is read in linear time", async () => {
  const users = await usersIn({
    "src/use.ts": `class A { size = 1 }
export const chain = (one: A) => one${".next".repeat(20_000)};
export const size = (one: A) => one.size;
`,
  });
  expect(await users("A.size")).toEqual(["src/use.ts:3 value"]);
});
