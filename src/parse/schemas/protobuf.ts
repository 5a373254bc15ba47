// The definitions of Protocol Buffers: messages, enumerations, services and their members.
import type { Definition } from "../languages/definition-rules.ts";
import { isName, type SchemaBuilder } from "./schema-definitions.ts";

const BLOCKS = new Set(["message", "enum", "service", "oneof", "extend"]);
const STATEMENTS = new Set("syntax edition package import option reserved extensions".split(" "));

/** Reads the definitions of a file. */
export function readProtobuf(builder: SchemaBuilder): Definition[] {
  const top: Definition[] = [];
  while (builder.reader.next !== undefined) readStatement(builder, top, { depth: 1, parent: "" });
  return top;
}

interface Place {
  readonly depth: number;
  /** The keyword of the definition around it. */
  readonly parent: string;
}

/** The first words of a statement. They have been taken. */
interface StatementHead {
  readonly words: readonly string[];
  readonly startLine: number;
  /** The line of the last word. */
  readonly line: number;
}

function readStatement(builder: SchemaBuilder, into: Definition[], place: Place): void {
  const { reader } = builder;
  const head = readHead(builder);
  const [keyword = "", name] = head.words;
  if (keyword === "{" || keyword === "}" || keyword === ";") return;
  // `message = 1` is a field or a value with the name of a keyword.
  const isNamed = isName(name) && place.parent !== "enum";
  if (isNamed && BLOCKS.has(keyword) && reader.isAt("{")) readBlock(builder, into, { head, place });
  else if (isNamed && keyword === "rpc" && reader.isAt("("))
    readCall(builder, into, { head, place });
  else if (STATEMENTS.has(keyword) && !isOwnName(builder, { head, place })) endStatement(builder);
  else readField(builder, into, { head, place });
}

/** Whether the keyword is the name of a value, as in `option = 1;`. */
function isOwnName({ reader }: SchemaBuilder, { head, place }: Statement): boolean {
  return head.words.length === 1 && reader.isAt("=") && place.parent !== "";
}

/** Takes one word, and the next one if it is a name. */
function readHead({ reader }: SchemaBuilder): StatementHead {
  const startLine = reader.startLine();
  const words = [reader.take()?.text ?? ""];
  if (isName(words[0]) && isName(reader.next?.text)) words.push(reader.take()?.text ?? "");
  return { words, startLine, line: reader.lastLine };
}

function endStatement(builder: SchemaBuilder): void {
  builder.skipTo(";");
  builder.reader.takeIf(";");
}

interface Statement {
  readonly head: StatementHead;
  readonly place: Place;
}

function readBlock(builder: SchemaBuilder, into: Definition[], { head, place }: Statement): void {
  const [keyword = "", name = ""] = head.words;
  const { startLine, line: nameLine } = head;
  const definition = builder.add(into, {
    name,
    kind: keyword === "message" ? "class" : keyword === "oneof" ? "field" : "type",
    startLine,
    nameLine,
    isInline: keyword === "oneof",
    isSymbol: keyword !== "extend",
    // The fields of a `oneof` are those of the message.
    isScope: keyword !== "oneof" && keyword !== "extend",
  });
  const parent = keyword === "oneof" ? "message" : keyword;
  builder.block(definition, place.depth, (members) => {
    readStatement(builder, members, { depth: place.depth + 1, parent });
  });
}

/** Reads `rpc Name(Request) returns (Response);`, or with options in braces. */
function readCall(builder: SchemaBuilder, into: Definition[], { head }: Statement): void {
  const { reader } = builder;
  builder.skipTo(";{");
  if (reader.isAt("{")) reader.skipGroup();
  else reader.takeIf(";");
  const { words, startLine, line: nameLine } = head;
  builder.add(into, { name: words[1] ?? "", kind: "method", startLine, nameLine });
}

/** Reads `repeated Type name = 1 [options];`, `map<K, V> name = 2;`, `NAME = 3;` or `group Name = 4 {…}`. */
function readField(builder: SchemaBuilder, into: Definition[], { head, place }: Statement): void {
  const { reader } = builder;
  let [name = ""] = head.words.slice(-1);
  let isGroup = head.words.includes("group");
  while (reader.next !== undefined && !reader.isAt("=;{}")) {
    name = reader.take()?.text ?? "";
    isGroup ||= name === "group";
  }
  const nameLine = reader.lastLine;
  const isValue = reader.isAt("=");
  builder.skipTo(isGroup ? ";{" : ";");
  const { startLine } = head;
  const field = { name, startLine, nameLine };
  if (isGroup && reader.isAt("{")) {
    readGroup(builder, into, { field, depth: place.depth });
    return;
  }
  reader.takeIf(";");
  if (!isValue || !isName(name) || place.parent === "" || place.parent === "service") return;
  const kind = place.parent === "enum" ? "constant" : "field";
  builder.add(into, { ...field, kind, isInline: true });
}

interface Group {
  readonly field: { readonly name: string; readonly startLine: number; readonly nameLine: number };
  readonly depth: number;
}

function readGroup(builder: SchemaBuilder, into: Definition[], { field, depth }: Group): void {
  const definition = builder.add(into, { ...field, kind: "class" });
  builder.block(definition, depth, (members) => {
    readStatement(builder, members, { depth: depth + 1, parent: "message" });
  });
}
