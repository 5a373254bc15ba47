// The definitions of GraphQL: types with their fields, directives, operations and fragments.
import type { Definition, SymbolKind } from "../languages/definition-rules.ts";
import { isName, type SchemaBuilder } from "./schema-definitions.ts";

const TYPES: Readonly<Record<string, SymbolKind>> = {
  type: "class",
  input: "class",
  interface: "type",
  enum: "type",
  union: "type",
  scalar: "type",
};
const OPERATIONS = new Set(["query", "mutation", "subscription", "fragment"]);
/** The types whose fields are what a client can call. */
const ROOTS = new Set(["Query", "Mutation", "Subscription"]);

/** Reads the definitions of a file. */
export function readGraphql(builder: SchemaBuilder): Definition[] {
  const top: Definition[] = [];
  while (builder.reader.next !== undefined) readDefinition(builder, top);
  return top;
}

function readDefinition(builder: SchemaBuilder, into: Definition[]): void {
  const { reader } = builder;
  const startLine = reader.startLine();
  skipDescription(builder);
  reader.takeIf("extend");
  const keyword = reader.take()?.text ?? "";
  const kind = Object.hasOwn(TYPES, keyword) ? TYPES[keyword] : undefined;
  if (kind !== undefined && isName(reader.next?.text))
    readType(builder, into, { keyword, kind, startLine });
  else if (keyword === "directive") readDirective(builder, into, startLine);
  else if (OPERATIONS.has(keyword)) readOperation(builder, into, startLine);
  else if (reader.isAt("{") || keyword === "{") skipBlock(builder);
}

function skipDescription({ reader }: SchemaBuilder): void {
  while (reader.next?.text.startsWith('"') === true) reader.take();
}

function skipBlock(builder: SchemaBuilder): void {
  const { reader } = builder;
  if (reader.isAt("{")) {
    reader.skipGroup();
    return;
  }
  builder.skipTo("}");
  reader.take();
}

interface TypeHead {
  readonly keyword: string;
  readonly kind: SymbolKind;
  readonly startLine: number;
}

function readType(
  builder: SchemaBuilder,
  into: Definition[],
  { keyword, kind, startLine }: TypeHead,
): void {
  const { reader } = builder;
  const name = reader.take();
  if (name === undefined) return;
  const definition = builder.add(into, { name: name.text, kind, startLine, nameLine: name.line });
  skipToBody(builder);
  builder.close(definition);
  if (keyword === "union" && reader.takeIf("=")) {
    // The members are names with bars between them.
    reader.takeIf("|");
    while (isName(reader.next?.text)) {
      reader.take();
      if (!reader.takeIf("|")) break;
    }
    builder.close(definition);
    return;
  }
  const isRoot = keyword === "type" && ROOTS.has(name.text);
  builder.block(definition, 1, (members) => {
    readMember(builder, members, { isEnum: keyword === "enum", isRoot });
  });
}

/** Takes `implements A & B` and directives. */
function skipToBody({ reader }: SchemaBuilder): void {
  if (reader.takeIf("implements")) {
    reader.takeIf("&");
    while (isName(reader.next?.text) && !isKeyword(reader.next.text)) {
      reader.take();
      reader.takeIf("&");
    }
  }
  while (reader.next?.text.startsWith("@") === true) {
    reader.take();
    if (reader.isAt("(")) reader.skipGroup();
  }
}

function isKeyword(text: string): boolean {
  return Object.hasOwn(TYPES, text) || text === "extend" || text === "directive";
}

/** Reads a value of an enumeration, or `name(arguments): Type = default @directive`. */
function readMember(
  builder: SchemaBuilder,
  into: Definition[],
  { isEnum, isRoot }: { readonly isEnum: boolean; readonly isRoot: boolean },
): void {
  const { reader } = builder;
  const startLine = reader.startLine();
  skipDescription(builder);
  // The end of the block.
  if (reader.next === undefined || reader.isAt("}")) return;
  const name = reader.take();
  if (name === undefined || !isName(name.text)) return;
  builder.skipGroupAt("(");
  if (reader.takeIf(":")) skipType(builder);
  builder.skipDefault();
  skipToBody(builder);
  const kind = isRoot ? "method" : isEnum ? "constant" : "field";
  builder.add(into, { name: name.text, kind, startLine, nameLine: name.line, isInline: !isRoot });
}

/** Takes `Name`, `Name!` or `[Name!]!`. */
function skipType({ reader }: SchemaBuilder): void {
  while (reader.isAt("[")) reader.take();
  if (isName(reader.next?.text)) reader.take();
  while (reader.isAt("]!")) reader.take();
}

/** Reads `@name(arguments) repeatable on PLACE | PLACE`. */
function readDirective(builder: SchemaBuilder, into: Definition[], startLine: number): void {
  const { reader } = builder;
  const name = reader.take();
  const text = name?.text.replace(/^@/, "");
  if (name === undefined || !isName(text)) return;
  if (reader.isAt("(")) reader.skipGroup();
  reader.takeIf("repeatable");
  if (reader.takeIf("on")) {
    reader.takeIf("|");
    while (isName(reader.next?.text)) {
      reader.take();
      if (!reader.takeIf("|")) break;
    }
  }
  builder.add(into, { name: text, kind: "function", startLine, nameLine: name.line });
}

function readOperation(builder: SchemaBuilder, into: Definition[], startLine: number): void {
  const { reader } = builder;
  const name = isName(reader.next?.text) ? reader.take() : undefined;
  builder.skipTo("{");
  if (reader.isAt("{")) reader.skipGroup();
  if (name === undefined) return;
  builder.add(into, { name: name.text, kind: "function", startLine, nameLine: name.line });
}
