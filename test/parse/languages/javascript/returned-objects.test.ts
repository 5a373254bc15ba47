import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

test("the result of a function has the members of the object that it returns", async () => {
  const users = await usersIn({
    "src/make.ts": `import { useMemo, useState } from "react";
export function useDialog() {
  const [isShown, setShown] = useState(false);
  function close() { setShown(false); }
  return { isShown, close };
}
export const useMenu = () => {
  const [item, setItem] = useState("");
  return useMemo(() => ({ item, choose: setItem }), []);
};
export const client = makeClient("a");
function makeClient(url: string) {
  return { send: () => url } as const;
}
export type Client = ReturnType<typeof makeClient>;
export async function load() { return Object.freeze({ total: 1 }); }
export const typed = (): { total: number } => ({ total: 1 });
`,
    "src/use.ts": `import { client, load, typed, useDialog, useMenu, type Client } from "./make.ts";
export async function run(own: Client) {
  const { close, isShown } = useDialog();
  const dialog = useDialog();
  dialog.close();
  useMenu().choose("b");
  client.send();
  own.send();
  (await load()).total;
  typed().total;
}
`,
  });
  expect(await users("useDialog.close")).toEqual([
    "src/make.ts:5 value",
    "src/use.ts:3 value",
    "src/use.ts:5 call",
  ]);
  expect(await users("useDialog.isShown")).toEqual(["src/make.ts:5 value", "src/use.ts:3 value"]);
  expect(await users("useMenu.choose")).toEqual(["src/use.ts:6 call"]);
  expect(await users("makeClient.send")).toEqual(["src/use.ts:7 call", "src/use.ts:8 call"]);
  expect(await users("load.total")).toEqual(["src/use.ts:9 value", "src/use.ts:10 value ?"]);
});

test("a store that a function sets up has the members that it returns", async () => {
  const users = await usersIn({
    "src/store.ts": `import { defineStore } from "pinia";
export const useCounter = defineStore("counter", () => {
  const total = ref(0);
  function increment() { total.value += 1; }
  return { total, increment };
});
export const wrapped = debounce(async function () { return { done: true }; });
`,
    "src/use.ts": `import { useCounter, wrapped } from "./store.ts";
export async function run() {
  const counter = useCounter();
  counter.increment();
  (await wrapped()).done;
}
`,
  });
  expect(await users("useCounter.increment")).toEqual([
    "src/store.ts:5 value",
    "src/use.ts:4 call",
  ]);
  expect(await users("wrapped.done")).toEqual(["src/use.ts:5 value"]);
});
