// The definitions of a schema of Prisma: models with their fields, and enumerations. A field ends with its line.
import type { Definition, SymbolKind } from "../languages/definition-rules.ts";
import type { SymbolDefinition } from "../symbols/symbol-definition.ts";
import { isName, type SchemaBuilder } from "./schema-definitions.ts";

const BLOCKS: Readonly<Record<string, SymbolKind>> = {
  model: "class",
  view: "class",
  type: "class",
  enum: "type",
};
/** Types of columns. */
export const PRISMA_TYPES: ReadonlySet<string> = new Set(
  "String Boolean Int BigInt Float Decimal DateTime Json Bytes Unsupported".split(" "),
);
const FIELD = /^\s*\w+\s+(\w+)(\[\])?/;

/** Reads the definitions of a file. */
export function readPrisma(builder: SchemaBuilder): Definition[] {
  const { reader } = builder;
  const top: Definition[] = [];
  while (reader.next !== undefined) {
    const startLine = reader.startLine();
    const keyword = reader.take()?.text ?? "";
    const kind = Object.hasOwn(BLOCKS, keyword) ? BLOCKS[keyword] : undefined;
    if (!isName(reader.next?.text)) continue;
    const name = reader.take();
    if (kind === undefined || name === undefined) {
      builder.skipGroupAt("{");
      continue;
    }
    const definition = builder.add(top, { name: name.text, kind, startLine, nameLine: name.line });
    const member = keyword === "enum" ? "constant" : "field";
    builder.block(definition, 1, (members) => {
      readMember(builder, members, member);
    });
  }
  return top;
}

/** Reads `name Type? @attribute(…)`, or `@@index([…])`, which is no definition. */
function readMember(builder: SchemaBuilder, into: Definition[], kind: "field" | "constant"): void {
  const { reader } = builder;
  const startLine = reader.startLine();
  const name = reader.take();
  while (reader.next !== undefined && reader.next.line === reader.lastLine && !reader.isAt("}")) {
    if (reader.isAt("{([")) reader.skipGroup();
    else reader.take();
  }
  if (name === undefined || !/^[A-Za-z]\w*$/.test(name.text)) return;
  builder.add(into, { name: name.text, kind, startLine, nameLine: name.line, isInline: true });
}

/** Returns the types of the symbols of a schema as expressions, by symbol number: `@Post*` for a field `posts Post[]`. */
export function prismaTypes(text: string, symbols: readonly SymbolDefinition[]): readonly string[] {
  const lines = text.split("\n");
  return symbols.map(({ kind, nameLine, qualifiedName }) => {
    if (kind === "constant") {
      const owner = qualifiedName.slice(0, qualifiedName.lastIndexOf("."));
      const around = symbols.findIndex((one) => one.qualifiedName === owner);
      return around === -1 ? "" : `#${around}`;
    }
    const [, type = "", list = ""] =
      (kind === "field" && FIELD.exec(lines[nameLine - 1] ?? "")) || [];
    return type === "" || PRISMA_TYPES.has(type) ? "" : `@${type}${list === "" ? "" : "*"}`;
  });
}
