import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a schema gives its keys to the type of its values and to what it parses", async () => {
  const users = await usersIn({
    "src/schema.ts": `import { z } from "zod";
export const Base = z.object({ id: z.string(), home: z.object({ street: z.string() }) });
export const User = Base.extend({ email: z.string() }).strict();
export type User = z.infer<typeof User>;
`,
    "src/use.ts": `import { User } from "./schema.ts";
export function run(user: User) {
  user.email;
  user.id;
  user.home.street;
  User.parse({}).email;
  const parsed = User.parse({});
  parsed.id;
  User.shape.email;
}
`,
  });
  expect(await users("User.email")).toEqual([
    "src/use.ts:3 value",
    "src/use.ts:6 value",
    "src/use.ts:9 value",
  ]);
  expect(await users("Base.id")).toEqual(["src/use.ts:4 value", "src/use.ts:8 value"]);
  expect(await users("Base.home.street")).toEqual(["src/use.ts:5 value"]);
});

test("schemas made of others have their members", async () => {
  const users = await usersIn({
    "src/schema.ts": `import { z } from "zod";
export const Part = z.object({ size: z.number() });
export const Style = z.object({ color: z.string() });
export const Base = z.object({ id: z.string(), parts: z.array(Part), style: Style.nullable(), lists: Part.array() });
export const Item = Base.superRefine(check);
export const Input = Base.omit({ id: true }).partial();
export const Either = z.union([Part, Style]);
export type Item = z.infer<typeof Item>;
export type Input = z.infer<typeof Input>;
export type Either = z.infer<typeof Either>;
export type Parts = z.infer<typeof PartList>;
const PartList = z.array(Part);
`,
    "src/use.ts": `import type { Item, Input, Either, Parts } from "./schema.ts";
export function run(item: Item, input: Input, either: Either, parts: Parts) {
  item.id;
  item.parts[0].size;
  for (const part of item.parts) part.size;
  item.style?.color;
  input.style;
  either.color;
  parts.map((part) => part.size);
  item.lists[0].size;
}
`,
  });
  expect(await users("Base.id")).toEqual(["src/use.ts:3 value"]);
  expect(await users("Part.size")).toEqual([
    "src/use.ts:4 value",
    "src/use.ts:5 value",
    "src/use.ts:9 value",
    "src/use.ts:10 value",
  ]);
  expect(await users("Style.color")).toEqual(["src/use.ts:6 value", "src/use.ts:8 value"]);
  expect(await users("Base.style")).toEqual(["src/use.ts:6 value", "src/use.ts:7 value"]);
});

test("a table gives its columns to its rows", async () => {
  const users = await usersIn({
    "src/schema.ts": `import { pgTable, text } from "drizzle-orm/pg-core";
export const people = pgTable("people", { fullName: text("full_name") });
export type Person = typeof people.$inferSelect;
`,
    "src/use.ts": `import { people, type Person } from "./schema.ts";
export const all = (one: Person) => one.fullName;
export const ada = eq(people.fullName, "Ada");
`,
  });
  expect(await users("people.fullName")).toEqual(["src/use.ts:2 value", "src/use.ts:3 value"]);
});

test("a client of tRPC uses the procedures of the router", async () => {
  const users = await usersIn({
    "src/router.ts": `import { initTRPC } from "@trpc/server";
const t = initTRPC.create();
const folders = t.router({
  list: t.procedure.query(async () => {
    return [];
  }),
  drop: dropRoute,
});
export const appRouter = t.router({ folders, inner: t.router({ deep: deepRoute }) });
export const named = t.router({ folder: folders });
export type AppRouter = typeof named;
export type InnerRouter = typeof appRouter;
`,
    "src/client.ts": `import { createTRPCReact, createTRPCContext } from "@trpc/react-query";
import type { AppRouter, InnerRouter } from "./router.ts";
export const trpc = createTRPCReact<AppRouter>();
export const { useTRPC } = createTRPCContext<InnerRouter>();
`,
    "src/use.tsx": `import { trpc, useTRPC } from "./client.ts";
export function List() {
  trpc.folder.list.useQuery();
  const utils = trpc.useUtils();
  utils.folder.drop.invalidate();
  const client = useTRPC();
  client.inner.deep.queryOptions();
}
`,
  });
  expect(await users("folders.list")).toEqual(["src/use.tsx:3 value"]);
  expect(await users("folders.drop")).toEqual(["src/use.tsx:5 value"]);
  expect(await users("appRouter.inner.deep")).toEqual(["src/use.tsx:7 value"]);
});

test("a store of state gives its state to hooks and selectors", async () => {
  const users = await usersIn({
    "src/cart.ts": `import { create } from "zustand";
interface Cart { count: number; add: () => void }
export const useCart = create<Cart>()((set) => ({ count: 0, add: () => set({ count: 1 }) }));
export const useOther = make<Cart>();
`,
    "src/other.ts": `import type { Box } from "./box.ts";
import { create } from "./box.ts";
interface Item { size: number }
export const box = create<Item>();
box.size;
`,
    "src/box.ts": `export interface Box<T> { size: number; item?: T }
export function create<T>(): Box<T> { return { size: 1 }; }
`,
    "src/use.ts": `import { useCart } from "./cart.ts";
export function run() {
  const add = useCart((state) => state.add);
  useCart.getState().count;
  const { count } = useCart();
}
`,
  });
  expect((await users("Cart.add")).filter((one) => one.startsWith("src/use"))).toEqual([
    "src/use.ts:3 value",
  ]);
  expect(await users("Item.size")).toEqual([]);
  expect((await users("Cart.count")).filter((one) => one.startsWith("src/use"))).toEqual([
    "src/use.ts:4 value",
    "src/use.ts:5 value",
  ]);
});

test("a method in an object uses the others through this", async () => {
  const users = await usersIn({
    "src/service.ts": `export const service = {
  load() { return 1; },
  save() { this.load(); },
};
class Box { api = { open() {}, run() { this.open(); } } }
`,
  });
  expect(await users("service.load")).toEqual(["src/service.ts:3 call"]);
  expect(await users("Box.api.open")).toEqual(["src/service.ts:5 call"]);
});
