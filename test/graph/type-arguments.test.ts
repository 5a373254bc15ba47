import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const TYPES = `export class Owner { id = 1 }
export class Tag { name = "a"; owner: Owner; constructor(owner: Owner) {} }
export class Page { name = "b" }
export class Box<T> {
  value: T;
  items: T[];
  constructor(value: T, size: number) {}
  get(): T { return this.value; }
  each(action: (one: T) => void): void {}
}
export class TagBox extends Box<Tag> {}
export class Named<A, B> extends Box<B> { label: A }
export interface Result<T, E> { data?: T; error?: E }
export function removeIf<T>(all: T[], isGone: (one: T) => boolean): void {}
export function first<T>(all: readonly T[] | undefined): T | undefined { return all?.[0]; }
export function mapped<T, U>(all: Iterable<T>, change: (one: T) => U): U[] { return []; }
export function load<T>(open: () => Promise<T>): Promise<Result<T, Owner>> { throw 1; }
export function unwrap<T>(box: Box<T>): T { return box.value; }
export async function fetchTag(): Promise<Tag> { throw 1; }
export function useQuery<T extends object>(key: string): T { throw 1; }
`;

const IMPORT = `import { Box, fetchTag, first, load, mapped, Named, Owner, Page, removeIf, Result, Tag, TagBox, unwrap, useQuery } from "./types.ts";
`;

/** Returns the lines of some statements, from 3 on, in which \`Tag.name\`, or another member, has a use. */
async function linesOf(member: string, statements: readonly string[]): Promise<readonly number[]> {
  const body = statements.map((one) => `  ${one}\n`).join("");
  const users = await usersIn({
    "src/types.ts": TYPES,
    "src/use.ts": `${IMPORT}export async function run(tags: Tag[], pages: Page[], box: Box<Tag>) {\n${body}}\n`,
  });
  const found = await users(member);
  return found.flatMap((one) => {
    const [, line, byName] = /^src\/use\.ts:(\d+) \w+( \?)?$/.exec(one) ?? [];
    return line === undefined || byName !== undefined ? [] : [Number(line)];
  });
}

test("the members of a generic type have the type arguments of the object", async () => {
  expect(
    await linesOf("Tag.name", [
      "box.value.name;",
      "box.items[0].name;",
      "box.get().name;",
      "box.each((one) => one.name);",
      "const pages: Box<Page> = open(); pages.value.name;",
      "const result: Result<Tag, Owner> = open(); result.data.name;",
      "new Box<Tag>(open(), 1).get().name;",
      "new Box(tags[0], 1).value.name;",
    ]),
  ).toEqual([3, 4, 5, 6, 8, 9, 10]);
});

test("a type that inherits from a generic one passes its type arguments on", async () => {
  expect(
    await linesOf("Tag.name", [
      "const own: TagBox = open(); own.value.name;",
      "own.each((one) => one.name);",
      "const named: Named<Page, Tag> = open(); named.get().name;",
      "named.label.name;",
    ]),
  ).toEqual([3, 4, 5]);
});

test("the arguments of a call show what the type parameters of a function are", async () => {
  expect(
    await linesOf("Tag.name", [
      'removeIf(tags, (tag) => tag.name === "");',
      "removeIf(pages, (page) => page.name);",
      "first(tags).name;",
      "unwrap(box).name;",
      "const { data } = await load(() => fetchTag()); data.name;",
      "const { data: again } = await load(fetchTag); again.name;",
      "useQuery<Tag>('a').name;",
      "useQuery<Tag[]>('a')[0].name;",
      "useQuery('a').name;",
    ]),
  ).toEqual([3, 5, 6, 7, 8, 9, 10]);
  expect(await linesOf("Owner.id", ["mapped(tags, (tag) => tag.owner)[0].id;"])).toEqual([3]);
});

test("collections that functions of the language return have elements of a known type", async () => {
  expect(
    await linesOf("Tag.name", [
      "const byKey = new Map<string, Tag>(); byKey.get('a').name;",
      "for (const [key, value] of byKey) value.name;",
      "for (const one of new Set(tags)) one.name;",
      "Array.from(new Set(tags)).map((one) => one.name);",
      "const all: Record<string, Tag> = {}; Object.values(all).map((one) => one.name);",
      "for (const [key, value] of Object.entries(all)) value.name;",
      "[...tags].map((one) => one.name);",
      "const [other] = await Promise.all(pages.map(() => fetchTag())); other.name;",
    ]),
  ).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  expect(
    await linesOf("Owner.id", [
      "tags.map((tag) => tag.owner)[0].id;",
      "tags.flatMap((tag) => [tag.owner]).forEach((owner) => owner.id);",
    ]),
  ).toEqual([3, 4]);
});
