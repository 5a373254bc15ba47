import type { Node } from "web-tree-sitter";

import { isValueKind } from "../../../base/definition-kinds.ts";
import {
  fieldNode,
  fieldText,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type RuleChoice,
} from "../definition-rules.ts";

const ITEM =
  /^(?:pub\b|(?:async |const |unsafe )*fn\s|struct\s|enum\s|impl\b|trait\s|mod\s|use\s|type\s)/;

const CLASS: DefinitionRule = { kind: "class", fields: "body" };
const TYPE: DefinitionRule = { kind: "type" };
const CONSTANT: DefinitionRule = { kind: "constant" };

/** Constants and types inside an `impl` or trait stay in its chunk. */
const inlineInside =
  (rule: DefinitionRule): RuleChoice =>
  (_node, parent) =>
    parent === "class" || parent === "type" ? { ...rule, isInline: true } : rule;

export const rust: LanguageRules = {
  prepareText: openMacros,
  definitions: {
    function_item: { kind: "function" },
    function_signature_item: { kind: "function" },
    struct_item: CLASS,
    union_item: CLASS,
    enum_item: { ...TYPE, fields: "body" },
    enum_variant: { kind: "constant", isInline: true, fields: "body" },
    field_declaration: { kind: "field", isInline: true },
    trait_item: { kind: "type", hasMembers: true },
    impl_item: {
      kind: "class",
      hasMembers: true,
      isSymbol: false,
      name: implementedType,
      // Items of a trait implementation are as visible as the trait.
      section: (node) => (fieldNode(node, "trait") === undefined ? "private" : "exported"),
    },
    mod_item: (node) =>
      fieldNode(node, "body") === undefined ? undefined : { kind: "module", hasMembers: true },
    macro_definition: { kind: "function", body: (node) => node.namedChild(1) ?? undefined },
    type_item: inlineInside(TYPE),
    associated_type: inlineInside(TYPE),
    const_item: inlineInside(CONSTANT),
    static_item: CONSTANT,
  },
  blocks: new Set(["foreign_mod_item", "declaration_list"]),
  // The module's content is in another file.
  additionalDefinitions: {
    mod_item: (node) => (fieldNode(node, "body") === undefined ? [{ kind: "module" }] : []),
  },
  attached: new Set(["line_comment", "block_comment", "attribute_item"]),
  access: accessOf,
};

/** Returns `Pool` for `impl<T> Source for Pool<T>`. */
function implementedType(node: Node): string | undefined {
  return fieldText(node, "type")
    ?.replace(/^[&*\s]*(?:mut |dyn |'\w+ )*/, "")
    .replace(/[<\s].*$/s, "")
    .replaceAll("::", ".");
}

function accessOf({ type, head, parent, outer, section }: AccessFacts): AccessLevel {
  const visibility = /\bpub\b\s*(\(?)/.exec(head);
  if (visibility !== null) return visibility[1] === "(" ? "internal" : "exported";
  // Variants, their fields and trait items are as visible as the type that contains them.
  if (type === "enum_variant" || parent === "type" || isValueKind(parent)) return outer;
  return type === "macro_definition" ? "internal" : (section ?? "private");
}

/**
 * Blanks out the lines `name! {` and `}` around items. The grammar parses macro arguments as loose tokens,
 * but crates that wrap items in macros (tokio's `cfg_rt! {…}`) have most of their interface there. If the
 * content is not items after all, it becomes an error node, which does no harm.
 */
function openMacros(text: string): string {
  if (!text.includes("! {\n")) return text;
  const open = new Map<string, { start: number; end: number }>();
  const blanks: { start: number; end: number }[] = [];
  for (const match of text.matchAll(/^([ \t]*)(?:([a-z_]\w*! \{)|(\}))[ \t]*$/gm)) {
    const [line, indent = "", opener] = match;
    const here = { start: match.index, end: match.index + line.length };
    const before = open.get(indent);
    if (opener !== undefined && holdsItems(text, here.end + 1)) {
      open.set(indent, here);
    } else if (opener === undefined && before !== undefined) {
      blanks.push(before, here);
      open.delete(indent);
    }
  }
  let prepared = "";
  let at = 0;
  for (const { start, end } of blanks.toSorted((a, b) => a.start - b.start)) {
    prepared += text.slice(at, start) + " ".repeat(end - start);
    at = end;
  }
  return prepared + text.slice(at);
}

/** Returns whether the first line from `start` that is not a comment or attribute begins an item. */
function holdsItems(text: string, start: number): boolean {
  for (let from = start; from < text.length;) {
    const newline = text.indexOf("\n", from);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(from, end).trim();
    if (line !== "" && !line.startsWith("//") && !line.startsWith("#[")) return ITEM.test(line);
    from = end + 1;
  }
  return false;
}
