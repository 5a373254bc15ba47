import { expect, test } from "vitest";

import { schemaTypes } from "../../../src/parse/named-uses/schema-types.ts";

function namesIn(text: string, language: string): readonly string[] {
  return schemaTypes(text, language).map(({ name, line }) => `${line} ${name}`);
}

test("Protocol Buffers", () => {
  const text = `message Reply {
  // Account is in a comment.
  repeated shop.v1.Account accounts = 1 [default = NONE_YET];
  map<string, Item> items = 2;
}
service Shop { rpc Get (Request) returns (stream Reply); }
`;
  expect(namesIn(text, "protobuf")).toEqual(["3 Account", "4 Item", "6 Request", "6 Reply"]);
});

test("GraphQL and Thrift", () => {
  expect(
    namesIn('type Query implements Node { "An Author" author(id: ID!): [Author!] }', "graphql"),
  ).toEqual(["1 Node", "1 ID", "1 Author"]);
  expect(namesIn("struct User { 1: list<Role> roles }", "thrift")).toEqual(["1 Role"]);
});

test("other languages have none", () => {
  expect(namesIn("class User {}", "java")).toEqual([]);
});
