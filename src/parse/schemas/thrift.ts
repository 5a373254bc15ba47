// The definitions of Thrift: structures, enumerations, services and their members.
import type { Definition, SymbolKind } from "../languages/definition-rules.ts";
import { isName, type SchemaBuilder } from "./schema-definitions.ts";
import type { SchemaToken, TokenReader } from "./tokens.ts";

const BLOCKS: Readonly<Record<string, SymbolKind>> = {
  struct: "class",
  exception: "class",
  union: "class",
  enum: "type",
  senum: "type",
  service: "type",
};

/** Reads the definitions of a file. */
export function readThrift(builder: SchemaBuilder): Definition[] {
  const top: Definition[] = [];
  while (builder.reader.next !== undefined) readDefinition(builder, top);
  return top;
}

function readDefinition(builder: SchemaBuilder, into: Definition[]): void {
  const { reader } = builder;
  const startLine = reader.startLine();
  const keyword = reader.take()?.text ?? "";
  const kind = Object.hasOwn(BLOCKS, keyword) ? BLOCKS[keyword] : undefined;
  if (keyword === "const" || keyword === "typedef") {
    readDeclaration(builder, into, { keyword, startLine });
  } else if (kind !== undefined && isName(reader.next?.text)) {
    const name = reader.take();
    if (name === undefined) return;
    const definition = builder.add(into, { name: name.text, kind, startLine, nameLine: name.line });
    // `service A extends B {`
    if (reader.takeIf("extends")) reader.take();
    builder.block(definition, 1, (members) => {
      readMember(builder, members, keyword);
    });
  }
}

/** Reads `const Type NAME = value` or `typedef Type Name`. */
function readDeclaration(
  builder: SchemaBuilder,
  into: Definition[],
  { keyword, startLine }: { readonly keyword: string; readonly startLine: number },
): void {
  const { reader } = builder;
  const start = reader.lastLine;
  let name = reader.next;
  // The name is the last word of the line, or the last one before the value.
  while (reader.next !== undefined && reader.next.line === start && !reader.isAt("=;,(")) {
    name = reader.take();
    skipTypeArguments(reader);
  }
  builder.skipDefault();
  if (name === undefined || !isName(name.text)) return;
  const kind = keyword === "const" ? "constant" : "type";
  builder.add(into, { name: name.text, kind, startLine, nameLine: name.line });
}

/** Reads `1: optional Type name = default,`, `NAME = 1,` or `Type name(arguments) throws (…),`. */
function readMember(builder: SchemaBuilder, into: Definition[], parent: string): void {
  const { reader } = builder;
  const startLine = reader.startLine();
  const name = takeName(builder, parent);
  const isFunction = parent === "service" && reader.isAt("(");
  builder.skipGroupAt("(");
  if (reader.takeIf("throws")) builder.skipGroupAt("(");
  builder.skipDefault();
  // Annotations.
  builder.skipGroupAt("({");
  if (reader.isAt(",;")) reader.take();
  if (name === undefined || !isName(name.text)) return;
  const kind = isFunction ? "method" : parent === "enum" ? "constant" : "field";
  const head = { name: name.text, kind, startLine, nameLine: name.line } as const;
  builder.add(into, { ...head, isInline: !isFunction });
}

/** Takes the words up to the name, which is the last one, and returns it. */
function takeName({ reader }: SchemaBuilder, parent: string): SchemaToken | undefined {
  let name = reader.take();
  skipTypeArguments(reader);
  while (reader.next !== undefined && !reader.isAt("=,;(}{")) {
    // Separators are optional: the number of a field, or a value in a new line, begins the next member.
    const isNext = parent === "enum" || /^\d+$/.test(reader.next.text);
    if (isNext && reader.next.line > reader.lastLine) break;
    name = reader.take();
    skipTypeArguments(reader);
  }
  return name;
}

/** Takes `<string, list<i32>>`. */
function skipTypeArguments(reader: TokenReader): void {
  let depth = 0;
  do {
    if (reader.isAt("<")) depth += 1;
    else if (reader.isAt(">")) depth -= 1;
    else if (depth === 0 || reader.next === undefined || reader.isAt("{};")) return;
    reader.take();
  } while (depth > 0);
}
