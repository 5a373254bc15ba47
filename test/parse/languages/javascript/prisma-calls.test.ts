import { expect, test } from "vitest";

import { modelsUsed } from "../../../../src/parse/languages/javascript/prisma-calls.ts";
import { usersIn } from "../../../helpers/reference-users.ts";

const SCHEMA = `model Person {
  id    Int    @id
  email String
  posts Post[]
  role  Role
}
model Post {
  id     Int @id
  title  String
  author Person?
}
enum Role {
  ADMIN
  MEMBER
}
`;

test("records of the client have the fields of their model", async () => {
  const users = await usersIn({
    "prisma/schema.prisma": SCHEMA,
    "src/use.ts": `import { PrismaClient, Role, type Person } from "@prisma/client";
const prisma = new PrismaClient();
export async function run(person: Person) {
  person.email;
  const found = await prisma.person.findFirstOrThrow({});
  found.email;
  const posts = await prisma.post.findMany();
  posts[0].title;
  posts.map((post) => post.author?.email);
  const { count } = await prisma.post.updateMany({ data: { title: Role.ADMIN } });
}
`,
  });
  expect(await users("Person.email")).toEqual([
    "src/use.ts:4 value",
    "src/use.ts:6 value",
    "src/use.ts:9 value",
  ]);
  expect(await users("Post.title")).toEqual(["src/use.ts:8 value", "src/use.ts:10 value"]);
  expect(await users("Role.ADMIN")).toEqual(["src/use.ts:10 value"]);
  expect(await users("Post")).toEqual([
    "prisma/schema.prisma:4 type",
    "src/use.ts:7 value",
    "src/use.ts:10 value",
  ]);
});

test("keys of a query are fields, also those of relations", async () => {
  const users = await usersIn({
    "prisma/schema/base.prisma": SCHEMA,
    "prisma/schema/more/tag.prisma": "model Tag {\n  label String\n  post Post\n}\n",
    "src/use.ts": `import { prisma } from "./prisma.ts";
await prisma.$transaction(async (tx) => {
  await tx.person.update({
    where: { OR: [{ email: "a" }], posts: { some: { title: "b" } } },
    include: { posts: { select: { title: true } } },
    data: { role: "ADMIN" },
  });
  await tx.tag.deleteMany({ where: { post: { author: { email: "c" } }, label: "d" } });
});
`,
  });
  expect(await users("Person.email")).toEqual(["src/use.ts:4 value", "src/use.ts:8 value"]);
  expect(await users("Post.title")).toEqual(["src/use.ts:4 value", "src/use.ts:5 value"]);
  expect(await users("Tag.label")).toEqual(["src/use.ts:8 value"]);
  expect(await users("Tag")).toEqual(["src/use.ts:8 value"]);
});

test("a client that Prisma generates into the project leads to the schema", async () => {
  const users = await usersIn({
    "prisma/schema.prisma": SCHEMA,
    "src/use.ts": `import { Role } from "../generated/prisma/client";\nRole.MEMBER;\n`,
    "src/other.ts": `import { Role as Rank } from "../generated/prisma";\nRank.MEMBER;\n`,
  });
  expect(await users("Role.MEMBER")).toEqual(["src/other.ts:2 value", "src/use.ts:2 value"]);
  expect(await users("Role")).toContain("src/other.ts:2 value");
});

test("without a schema, such a call means what the project defines", async () => {
  const users = await usersIn({
    "src/db.ts": `// Not Prisma.
export class User { name = "" }
export const db = { user: { create(): User { return new User(); } } };
`,
    "src/use.ts": `import { db } from "./db.ts";
const made = db.user.create();
made.name;
`,
  });
  expect(await users("User.name")).toEqual(["src/use.ts:3 value"]);
  expect(modelsUsed("db.user.create({})")).toEqual([]);
});

test("models are found in chains of several lines", () => {
  expect(
    modelsUsed(`import { prisma } from "x";\nawait prisma\n  .blogPost\n  .findMany<A>({});`),
  ).toEqual([{ name: "BlogPost", line: 3 }]);
});

test("a client of something else is none of Prisma", () => {
  const text = `import { prisma } from "./prisma";\nauth.client.user.update({});\nmyPrisma.user.update({});\n`;
  expect(modelsUsed(text)).toEqual([{ name: "User", line: 3 }]);
});
