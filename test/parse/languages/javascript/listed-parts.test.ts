import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

const TYPES = `export class User { name = ""; }
export class Post { name = ""; }
export async function loadUser(): Promise<User> { return new User(); }
export async function loadPost(): Promise<Post> { return new Post(); }
`;

async function usesOf(name: string, lines: readonly string[]): Promise<readonly string[]> {
  const imports = 'import { loadPost, loadUser, Post, User } from "./types.ts";';
  const users = await usersIn({
    "src/types.ts": TYPES,
    "src/use.ts": [imports, ...lines, ""].join("\n"),
  });
  return (await users(name)).filter((use) => use.startsWith("src/use.ts"));
}

const MATCHED = [
  "async function a() { const [user, post] = await Promise.all([loadUser(), loadPost()]); post.name; }",
  "function b() { const [user, { name }] = [new User(), new Post()] as const; }",
  "function c([user, post]: readonly [user: User, post?: Post]) { post.name; }",
  "export const [first, second] = [new User(), new Post()];",
  "second.name;",
];

test("each part of a pattern has the value or the type at its place", async () => {
  expect(await usesOf("Post.name", MATCHED)).toEqual(
    [2, 3, 4, 6].map((line) => `src/use.ts:${line} value`),
  );
  expect(await usesOf("User.name", MATCHED)).toEqual([]);
});

test("parts that are left out, and commas inside of a part, do not move the others", async () => {
  expect(
    await usesOf("Post.name", [
      "function a() { const [, post] = [new User(), new Post()]; post.name; }",
      "async function b() {",
      "  const [, , post] = await Promise.all([",
      "    loadUser(",
      "      'a',",
      "    ),",
      "    () => { return [1, 2,]; },",
      "    loadPost(), // the last, of three",
      "  ]);",
      "  post.name;",
      "}",
    ]),
  ).toEqual([2, 11].map((line) => `src/use.ts:${line} value`));
});

test("a spread and a cast say nothing of places", async () => {
  const lines = [
    "function a(more) { const [user, post] = [...more, new User(), new Post()]; post.name; }",
    "function b() { const [user] = [new User(), new Post()] as [Post, User]; user.name; }",
  ];
  expect(await usesOf("User.name", lines)).toEqual(["src/use.ts:3 value ?"]);
});

test("a pattern with more parts than values knows only those that have one", async () => {
  const lines = ["function a() { const [user, post] = [new User()]; user.name; post.name; }"];
  expect(await usesOf("User.name", lines)).toEqual(["src/use.ts:2 value"]);
});
