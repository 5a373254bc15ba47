// The types that a schema names: in fields, arguments and results of Protocol Buffers, Thrift, GraphQL and Prisma.

import { PRISMA_TYPES } from "../schemas/prisma.ts";
import { schemaTokens } from "../schemas/schema-outline.ts";
import type { NamedUse } from "./named-use.ts";

/** The word after one of these is a definition. */
const DEFINING = new Set(
  "model view message enum service rpc struct union exception typedef type interface input scalar directive query mutation fragment".split(
    " ",
  ),
);
const TYPE = /^(?:\w+\.)*([A-Z]\w*)$/;
/** Names of constants. */
const CONSTANT = /^[A-Z][A-Z\d_]*$/;

/** Returns the capitalized names of a schema that are neither definitions nor constants; none for other languages. */
export function schemaTypes(text: string, language: string): readonly NamedUse[] {
  const reader = schemaTokens(text, language);
  const found: NamedUse[] = [];
  let last = "";
  for (let token = reader?.take(); token !== undefined; token = reader?.take()) {
    const { text: word, line } = token;
    const [, name] = TYPE.exec(word) ?? [];
    const isType = name !== undefined && (!CONSTANT.test(name) || language === "graphql");
    const isOfPrisma = language === "prisma" && PRISMA_TYPES.has(word);
    if (isType && !isOfPrisma && !DEFINING.has(last)) found.push({ name, line, role: "type" });
    last = word;
  }
  return found;
}
