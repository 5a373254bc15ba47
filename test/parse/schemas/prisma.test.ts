import { expect, it } from "vitest";

import { prismaTypes } from "../../../src/parse/schemas/prisma.ts";
import { chunk } from "../../chunk/helpers.ts";
import { schemaLines } from "./schema-lines.ts";

const SCHEMA = `datasource db {
  url = env("URL")
}
/// Somebody.
model Person {
  id    Int    @id @default(autoincrement())
  posts Post[] // all of them
  role  Role?  @default(ADMIN)
  @@index([id, role])
}
enum Role { ADMIN
  MEMBER @map("member") }
type Place {
  street String
}
`;

it("fields end with their lines, and settings are no definitions", () => {
  expect(schemaLines(SCHEMA, "prisma")).toEqual([
    "4-10 class Person",
    "  6-6 field id",
    "  7-7 field posts",
    "  8-8 field role",
    "11-12 type Role",
    "  11-11 constant ADMIN",
    "  12-12 constant MEMBER",
    "13-15 class Place",
    "  14-14 field street",
  ]);
});

it("a schema that does not end is read to its end", () => {
  expect(schemaLines("model A {\n  b C[\n", "prisma")).toEqual(["1-2 class A", "  2-2 field b"]);
});

it("fields have the types of models and lists of them", async () => {
  const { symbols } = await chunk("prisma", SCHEMA);
  const types = prismaTypes(SCHEMA, symbols);
  expect(symbols.map(({ qualifiedName }, at) => `${qualifiedName} ${types[at]}`)).toEqual([
    "Person ",
    "Person.id ",
    "Person.posts @Post*",
    "Person.role @Role",
    "Role ",
    "Role.ADMIN #4",
    "Role.MEMBER #4",
    "Place ",
    "Place.street ",
  ]);
});
