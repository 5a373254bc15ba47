import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

test("conditions tell the type of a variable where they hold", async () => {
  const users = await usersIn({
    "src/failure.ts": `export class Failure extends Error { code = 1 }
export function isFailure<T>(error: unknown): error is Failure { return error instanceof Failure; }
`,
    "src/use.ts": `import { Failure, isFailure } from "./failure.ts";
export function run(error: any, other: any) {
  if (error instanceof Failure) error.code;
  else error.code;
  const a = error instanceof Failure && error.code;
  const b = isFailure(error) ? error.code : 0;
  const c = !isFailure(error) || error.code;
  if (error instanceof Failure) other.code;
  if (!isFailure<string>(error)) throw error;
  error.code;
  assert(other instanceof Failure && other.code > 0);
  other.code;
  return () => error.code;
}
`,
  });
  expect(await users("Failure.code")).toEqual([
    "src/use.ts:3 value",
    "src/use.ts:4 value ?",
    "src/use.ts:5 value",
    "src/use.ts:6 value",
    "src/use.ts:7 value",
    "src/use.ts:8 value ?",
    "src/use.ts:10 value",
    "src/use.ts:11 value",
    "src/use.ts:12 value",
    "src/use.ts:13 value",
  ]);
});
