import { parseSchemaOutline } from "../../../src/parse/schemas/schema-outline.ts";
import type { Definition } from "../../../src/parse/languages/definition-rules.ts";
import { splitLines } from "../../../src/parse/text-lines.ts";

/** Returns the definitions of a schema as `line-line kind name`, indented by depth. */
export function schemaLines(text: string, language: string): string[] {
  const list = (definitions: readonly Definition[], indent: string): string[] =>
    definitions.flatMap(({ startLine, endLine, kind, name, members }) => [
      `${indent}${startLine}-${endLine} ${kind} ${name}`,
      ...list(members, `${indent}  `),
    ]);
  return list(parseSchemaOutline(splitLines(text), language)?.definitions ?? [], "");
}
