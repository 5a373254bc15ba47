import { expect, it } from "vitest";

import { schemaLines } from "./schema-lines.ts";

const graphql = (text: string): string[] => schemaLines(text, "graphql");

it("fields of the root types are methods, others are fields", () => {
  expect(graphql("type Query { user(id: ID!): User }\ntype User { name: String }\n")).toEqual([
    "1-1 class Query",
    "  1-1 method user",
    "2-2 class User",
    "  2-2 field name",
  ]);
});

it("definitions begin with their descriptions, which may hold braces", () => {
  const text = '"""\nA } {\n"""\ntype A {\n  "b }"\n  b: [Int!]!\n  # c\n  c: Int = 3\n}\n';
  expect(graphql(text)).toEqual(["1-9 class A", "  5-6 field b", "  7-8 field c"]);
});

it("types without a block end before the next definition", () => {
  expect(
    graphql("type A implements B & C\ntype D\nunion E = A | D\nscalar F\nextend type G @h\n"),
  ).toEqual(["1-1 class A", "2-2 class D", "3-3 type E", "4-4 type F", "5-5 class G"]);
});

it("operations and fragments are functions", () => {
  const text = "query A($b: Int = 1) { c }\n{ d }\nfragment E on F { g }\nsubscription { h }\n";
  expect(graphql(text)).toEqual(["1-1 function A", "3-3 function E"]);
});
