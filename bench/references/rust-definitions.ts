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
    const parent = levels.at(-1);
    const isHidden = levels.some(
      ({ word, name }) =>
        ["fn", "impl for", "macro_rules!"].includes(word) ||
        (word === "mod" && /^tests?$/.test(name)),
    );
    const add = (kind: KindOfDefinition, name: string, before: number): void => {
      const container = levels
        .filter(({ word }) => word !== "mod")
        .map((level) => level.name)
        .join(".");
      if (!isHidden && name !== "_") {
        found.push({ name, kind, container, line: at + 1, column: before + 1 });
      }
    };
    const item = ITEM.exec(line)?.groups;
    const block = BLOCK.exec(line)?.groups;
    if (item !== undefined) {
      const { word = "", name = "", head = "" } = item;
      const kind = KINDS[word];
      const isMember = parent !== undefined && ["impl", "trait"].includes(parent.word);
      if (kind !== undefined) {
        add(kind === "function" && isMember ? "method" : kind, name, indent + head.length);
      }
      levels = [...levels, { indent, word, name }];
    } else if (block !== undefined) {
      const { rest = "" } = block;
      const name = /(\w+)(?:<.*>)?\s*(?:\{|where|$)/.exec(rest.replace(/^<.*?>\s/, ""))?.[1] ?? "";
      levels = [...levels, { indent, word: / for /.test(rest) ? "impl for" : "impl", name }];
    } else if (parent?.word === "struct" || parent?.word === "union") {
      const { name, head = "" } = FIELD.exec(line)?.groups ?? {};
      if (name !== undefined) add("field", name, indent + head.length);
    } else if (parent?.word === "enum") {
      const { name } = VARIANT.exec(line)?.groups ?? {};
      if (name !== undefined) add("member", name, indent);
    } else if (parent === undefined || indent <= parent.indent) {
      levels = [...levels, { indent, word: "other", name: "" }];
    }
  }
  return found;
}
