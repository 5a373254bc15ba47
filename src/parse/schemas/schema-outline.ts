// Outlines of schema languages that have no grammar here. Braces determine where a definition ends.
import type { Definition, ParsedOutline } from "../languages/definition-rules.ts";
import { emptyCuts, type TextLines } from "../text-lines.ts";
import { readGraphql } from "./graphql.ts";
import { readPrisma } from "./prisma.ts";
import { readProtobuf } from "./protobuf.ts";
import { SchemaBuilder } from "./schema-definitions.ts";
import { readThrift } from "./thrift.ts";
import { TokenReader, type TokenRules } from "./tokens.ts";

interface SchemaLanguage {
  readonly tokens: TokenRules;
  readonly read: (builder: SchemaBuilder) => Definition[];
}

const SLASHES: TokenRules = {
  lineComments: ["//"],
  hasBlockComments: true,
  hasBlockStrings: false,
};

const SCHEMA_LANGUAGES: ReadonlyMap<string, SchemaLanguage> = new Map([
  ["protobuf", { tokens: SLASHES, read: readProtobuf }],
  ["prisma", { tokens: SLASHES, read: readPrisma }],
  ["thrift", { tokens: { ...SLASHES, lineComments: ["//", "#"] }, read: readThrift }],
  [
    "graphql",
    {
      tokens: { lineComments: ["#"], hasBlockComments: false, hasBlockStrings: true },
      read: readGraphql,
    },
  ],
]);

/** Returns a reader of the tokens of a schema; undefined for other languages. */
export function schemaTokens(text: string, language: string): TokenReader | undefined {
  const schema = SCHEMA_LANGUAGES.get(language);
  return schema && new TokenReader(text, schema.tokens);
}

/** Returns the definitions and cut points of a schema; undefined for other languages. */
export function parseSchemaOutline(lines: TextLines, language: string): ParsedOutline | undefined {
  const schema = SCHEMA_LANGUAGES.get(language);
  if (schema === undefined) return undefined;
  const reader = new TokenReader(lines.text, schema.tokens);
  const definitions = schema.read(new SchemaBuilder(reader));
  const cuts = emptyCuts(lines.count);
  markStarts(cuts, definitions, 1);
  return { definitions, cuts };
}

function markStarts(cuts: Uint8Array, definitions: readonly Definition[], depth: number): void {
  for (const { startLine, members } of definitions) {
    const cut = cuts[startLine - 1] ?? 0;
    if (cut === 0 || cut > depth) cuts[startLine - 1] = depth;
    markStarts(cuts, members, depth + 1);
  }
}
