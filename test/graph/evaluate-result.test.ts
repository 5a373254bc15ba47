import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a list of members, and a list of what a constant has, have elements of a known type", async () => {
  const users = await usersIn({
    "src/types.ts": `export class Owner { id = 1 }
export class Tag { owner: Owner }
export const main: Owner = new Owner();
`,
    "src/use.ts": `import { main, Tag } from "./types.ts";
export function run(tag: Tag) {
  for (const one of [tag.owner]) one.id;
  for (const one of [main]) one.id;
  for (const one of [tag]) one.id;
}
`,
  });
  expect(await users("Owner.id")).toEqual(["src/use.ts:3 value", "src/use.ts:4 value"]);
});
