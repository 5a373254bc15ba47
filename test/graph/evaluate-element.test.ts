import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("elements of collections have the type that the collection is declared with", async () => {
  const users = await usersIn({
    "src/store.ts": `export interface Entry { key: string; parts: Part[] }
export interface Part { text: string }
export type Entries = Entry[];
export const entries: Entries = [];
`,
    "src/use.ts": `import { entries } from "./store.ts";
entries[0].parts[0].text;
for (const entry of entries) entry.key;
`,
  });
  expect(await users("Part.text")).toEqual(["src/use.ts:2 value"]);
  expect(await users("Entry.key")).toEqual(["src/use.ts:3 value"]);
});
