// The definitions of a Rust file that others can refer to, by the indentation that rustfmt gives. Those in functions,
// in tests and in implementations of traits are left out: a method of a trait is defined in the trait.
import type { KindOfDefinition } from "./truth.ts";

export interface RustDefinition {
  readonly name: string;
  readonly kind: KindOfDefinition;
  readonly container: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

const VISIBILITY = String.raw`(?:pub(?:\([^)]*\))?\s+)?`;
const ITEM = new RegExp(
  String.raw`^(?<indent>\s*)(?<head>${VISIBILITY}(?:default |const |async |unsafe |extern "\w+" )*(?<word>fn|struct|union|enum|trait|type|const|static(?: mut)?|mod|macro_rules!)\s+)(?<name>\w+)`,
);
const BLOCK = /^(?<indent>\s*)(?:unsafe\s+)?impl\b(?<rest>.*)$/;
const FIELD = new RegExp(String.raw`^(?<indent>\s+)(?<head>${VISIBILITY})(?<name>[a-z_]\w*): `);
const VARIANT = /^(?<indent>\s+)(?<name>[A-Z]\w*)(?:[,({]| \{| =|$)/;

const KINDS: Readonly<Record<string, KindOfDefinition | undefined>> = {
  fn: "function",
  struct: "class",
  union: "class",
  enum: "enum",
  trait: "interface",
  type: "type",
  const: "constant",
  static: "constant",
  "static mut": "constant",
  "macro_rules!": "function",
};

interface Level {
  readonly indent: number;
  /** "impl for": of a trait. */
  readonly word: string;
  readonly name: string;
}

export function rustDefinitions(text: string): readonly RustDefinition[] {
  const found: RustDefinition[] = [];
  let levels: readonly Level[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "" || /^\s*(?:\/\/|#\[|\}|\)|where\b)/.test(line)) continue;
    const indent = line.length - line.trimStart().length;
    levels = levels.filter((level) => level.indent < indent);
    const named = definitionOn(line, levels.at(-1));
    if (named !== undefined && named.name !== "_" && !levels.some(isHidden)) {
      found.push({ ...named, container: containerOf(levels), line: at + 1 });
    }
    const opened = openedBy(line, indent, levels.at(-1));
    if (opened !== undefined) levels = [...levels, opened];
  }
  return found;
}

function isHidden({ word, name }: Level): boolean {
  const isOfTests = word === "mod" && /^tests?$/.test(name);
  return isOfTests || word === "fn" || word === "impl for" || word === "macro_rules!";
}

function containerOf(levels: readonly Level[]): string {
  const named = levels.filter(({ word }) => word !== "mod");
  return named.map(({ name }) => name).join(".");
}

function definitionOn(
  line: string,
  parent: Level | undefined,
): Pick<RustDefinition, "name" | "kind" | "column"> | undefined {
  const item = ITEM.exec(line)?.groups;
  const { name, head = "", indent = "" } = item ?? memberOn(line, parent) ?? {};
  const kind = item === undefined ? kindInside(parent) : KINDS[item["word"] ?? ""];
  if (name === undefined || kind === undefined) return undefined;
  const column = indent.length + head.length + 1;
  return { name, kind: kind === "function" && isForMembers(parent) ? "method" : kind, column };
}

function isForMembers(parent: Level | undefined): boolean {
  return parent?.word === "impl" || parent?.word === "trait";
}

function kindInside(parent: Level | undefined): KindOfDefinition {
  return parent?.word === "enum" ? "member" : "field";
}

function memberOn(line: string, parent: Level | undefined): RegExpExecArray["groups"] {
  if (parent?.word === "enum") return VARIANT.exec(line)?.groups;
  return parent?.word === "struct" || parent?.word === "union"
    ? FIELD.exec(line)?.groups
    : undefined;
}

function openedBy(line: string, indent: number, parent: Level | undefined): Level | undefined {
  const { word, name = "" } = ITEM.exec(line)?.groups ?? {};
  if (word !== undefined) return { indent, word, name };
  const rest = BLOCK.exec(line)?.groups?.["rest"];
  if (rest === undefined) return parent === undefined ? { indent, word: "", name: "" } : undefined;
  const type = /(\w+)(?:<.*>)?\s*(?:\{|where|$)/.exec(rest.replace(/^<.*?>\s/, ""))?.[1] ?? "";
  return { indent, word: / for /.test(rest) ? "impl for" : "impl", name: type };
}
