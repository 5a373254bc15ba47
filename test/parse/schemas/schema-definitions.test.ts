import { expect, it } from "vitest";

import type { Definition } from "../../../src/parse/languages/definition-rules.ts";
import {
  isName,
  MAX_SCHEMA_DEPTH,
  SchemaBuilder,
} from "../../../src/parse/schemas/schema-definitions.ts";
import { TokenReader } from "../../../src/parse/schemas/tokens.ts";

function builderOf(text: string): SchemaBuilder {
  const rules = { lineComments: ["#"], hasBlockComments: false, hasBlockStrings: false };
  return new SchemaBuilder(new TokenReader(text, rules));
}

it("a definition ends with the block that was read", () => {
  const builder = builderOf("{\na\nb\n}\nc");
  const top: Definition[] = [];
  const head = { name: "x", kind: "class", startLine: 1, nameLine: 1 } as const;
  const definition = builder.add(top, head);
  builder.block(definition, 1, (members) => {
    const name = builder.reader.take()?.text ?? "";
    builder.add(members, { ...head, name, isInline: true });
  });
  expect(top).toEqual([definition]);
  expect(definition.endLine).toBe(4);
  expect(definition.members.map(({ name, endLine }) => `${name} ${endLine}`)).toEqual([
    "a 2",
    "b 3",
  ]);
  expect(builder.reader.next?.text).toBe("c");
});

it("a block that is too deep is skipped", () => {
  const builder = builderOf("{ a { b } } c");
  const definition = builder.add([], { name: "x", kind: "class", startLine: 1, nameLine: 1 });
  builder.block(definition, MAX_SCHEMA_DEPTH, () => expect.unreachable());
  expect(builder.reader.next?.text).toBe("c");
});

it("skipping ends before the end of the block around", () => {
  const builder = builderOf("a ( ; } ) b } ;");
  builder.skipTo(";");
  expect(builder.reader.next?.text).toBe("}");
});

it("names begin with a letter", () => {
  expect(["a", "_b.c-d", "é", "1", "-", "", undefined].map(isName)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
