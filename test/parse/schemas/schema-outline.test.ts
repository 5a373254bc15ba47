import { describe, expect, it } from "vitest";

import { parseSchemaOutline } from "../../../src/parse/schemas/schema-outline.ts";
import { splitLines } from "../../../src/parse/text-lines.ts";
import { LINEAR_TIME } from "../../chunk/helpers.ts";
import { schemaLines } from "./schema-lines.ts";

it("other languages have no schema", () => {
  expect(parseSchemaOutline(splitLines("a {}"), "css")).toBeUndefined();
});

/** Texts whose brackets, comments or strings never end, or nest too deeply for a stack. */
const HOSTILE: Readonly<Record<string, string>> = {
  "brackets that stay open": "message A { ( [ ".repeat(40_000),
  "nested messages": "message A {\n".repeat(60_000),
  "nested types": "type A { b: [".repeat(40_000),
  "comments without an end": "/* ".repeat(100_000),
  "strings without an end": '"""'.repeat(99_999),
  "closing brackets": "} ) ] ; ".repeat(60_000),
  "one word": "a".repeat(500_000),
  "many members": `enum A {\n${"  B = 1;\n".repeat(60_000)}}`,
  "service calls": "service A { rpc B (C) returns (D) { ".repeat(20_000),
};

describe.each(["protobuf", "graphql", "thrift"])("schemas of %s", (language) => {
  it.each(Object.keys(HOSTILE))("take linear time for %s", { timeout: LINEAR_TIME }, (name) => {
    expect(() => schemaLines(HOSTILE[name] ?? "", language)).not.toThrow();
  });
});

it("fields beyond 20,000 are not symbols", () => {
  const text = `message A {\n${"  int32 b = 1;\n".repeat(20_010)}}`;
  const [message] = parseSchemaOutline(splitLines(text), "protobuf")?.definitions ?? [];
  expect(message?.members.filter(({ isSymbol }) => isSymbol)).toHaveLength(20_000);
});
