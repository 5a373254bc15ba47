import type { Node } from "web-tree-sitter";

import {
  fieldNode,
  fieldText,
  isOneLine,
  nameAt,
  type AccessChange,
  type DefinitionRule,
  type LanguageRules,
  type Name,
  type SymbolKind,
} from "../definition-rules.ts";
import { extractDocLine } from "../../symbols/signature.ts";

const FUNCTION: DefinitionRule = {
  kind: "function",
  name: declaredName,
  doc: docBelow,
  body: (node) => fieldNode(node, "match"),
};
/** After a signature of several lines, `-- ^ …` documents its last part. */
const SIGNATURE: DefinitionRule = {
  ...FUNCTION,
  doc: (node) => (isOneLine(node) ? docBelow(node) : undefined),
  body: () => undefined,
};
const TYPE: DefinitionRule = { kind: "type", name: declaredName, body: () => undefined };
const CONSTANT: DefinitionRule = {
  kind: "constant",
  doc: docBelow,
  isInline: true,
  body: () => undefined,
};
const DATA: DefinitionRule = { ...TYPE, fields: (node) => fieldNode(node, "constructors") };
/** The name of `prefix`, `infix` and `record` constructors is one level deeper. */
const CONSTRUCTOR: DefinitionRule = {
  ...CONSTANT,
  name: (node) =>
    plainName(fieldNode(node, "name")) ?? nameOfConstructor(fieldNode(node, "constructor")),
  fields: (node) => {
    const record = ["constructor", "field", "type"].map((field) => fieldNode(node, field));
    const found = record.find((part) => part?.type === "record");
    return found && (fieldNode(found, "fields") ?? found);
  },
};
/** Matches a comment on what is above it. */
const ABOVE = /^(?:--+|\{-)\s*\^/;
/** Nodes around a name: `(<+>)`, a backquoted name, the name of a field. */
const AROUND_NAME = new Set(["prefix_id", "infix_id", "field_name", "binding_list"]);
/** Matches a list of exports: `module Name (a, B (..))`. */
const EXPORTS = /^module\s+[\w.']+\s*\(/m;
const declarations = (node: Node): Node | undefined => fieldNode(node, "declarations");

export const haskell: LanguageRules = {
  definitions: {
    // A signature and the equations of the same name are merged as clauses.
    signature: SIGNATURE,
    function: FUNCTION,
    bind: FUNCTION,
    data_type: DATA,
    newtype: { ...TYPE, fields: (node) => node },
    foreign_import: {
      kind: "function",
      name: (node) => plainName(fieldNode(node, "signature")?.childForFieldName("name")),
      body: () => undefined,
    },
    pattern_synonym: {
      kind: "function",
      name: (node) => nameOfSynonym(node.firstNamedChild?.childForFieldName("synonym")),
      body: () => undefined,
    },
    data_constructor: CONSTRUCTOR,
    newtype_constructor: CONSTRUCTOR,
    gadt_constructor: CONSTRUCTOR,
    field: { ...CONSTANT, kind: "field", name: (node) => plainName(fieldNode(node, "name")) },
    type_synomym: TYPE,
    type_family: TYPE,
    data_family: TYPE,
    class: { kind: "type", name: declaredName, hasMembers: true, body: declarations },
    instance: {
      kind: "class",
      hasMembers: true,
      name: (node) => {
        const types = fieldText(node, "patterns") ?? "";
        return `${fieldText(node, "name") ?? ""} ${types}`.replace(/\s+/g, " ").trim();
      },
      body: declarations,
    },
  },
  blocks: new Set(["imports", "declarations", "class_declarations", "instance_declarations"]),
  additionalDefinitions: {
    field: (field) => additionalNames(field, { ...CONSTANT, kind: "field" }),
    signature: otherMethods,
    bind: namesInPattern,
  },
  inlineBlocks: { data_instance: constructorsOfInstance },
  attached: new Set(["pragma"]),
  isAttached: (node) => isComment(node) && !isAbove(node),
  access: ({ parent, outer, section }) => (parent === undefined ? outer : (section ?? outer)),
  fileAccess: (_path, text) => (EXPORTS.test(text) ? "private" : "exported"),
  accessChanges: { header: exportedNames },
  hasClauses: true,
};

function isComment(node: Node): boolean {
  return node.type === "comment" || node.type === "haddock";
}

/** Whether a comment documents what is above it: `-- ^ the size`, and the lines that continue it. */
function isAbove(comment: Node): boolean {
  if (comment.type === "haddock") return ABOVE.test(comment.text);
  const previous = comment.previousNamedSibling;
  if (previous?.type !== "haddock" || !ABOVE.test(previous.text)) return false;
  return comment.startPosition.row - previous.endPosition.row <= 1;
}

/** Returns the first line of `-- ^ …` after a definition; undefined if it has documentation before it. */
function docBelow(node: Node): string | undefined {
  const next = node.nextNamedSibling;
  if (next?.type !== "haddock" || !ABOVE.test(next.text)) return undefined;
  const previous = node.previousNamedSibling;
  const hasDoc = previous?.type === "haddock" && !isAbove(previous);
  return hasDoc ? undefined : extractDocLine(next.text);
}

/** Returns rules for `b` of `{ a, b :: Int }`. */
function additionalNames(list: Node, rule: DefinitionRule): readonly DefinitionRule[] {
  const [, ...names] = list.childrenForFieldName("name");
  return names.map((name) => ({ ...rule, name: () => plainName(name) }));
}

/** Returns rules for `b` of `a, b :: Int` in a class. Elsewhere its equation defines it. */
function otherMethods(
  signature: Node,
  _text: string,
  parent: SymbolKind | undefined,
): readonly DefinitionRule[] {
  const names = fieldNode(signature, "names");
  const rule: DefinitionRule = { ...SIGNATURE, isInline: true };
  return names === undefined || parent !== "type" ? [] : additionalNames(names, rule);
}

/** Returns rules for `a` and `b` of `(a, b) = …`. */
function namesInPattern(bind: Node): readonly DefinitionRule[] {
  const pattern = fieldNode(bind, "pattern");
  const found = pattern?.descendantsOfType("variable") ?? [];
  const rule: DefinitionRule = { kind: "function", body: () => fieldNode(bind, "match") };
  return found.flatMap((name) =>
    name === null || name.parent?.type === "view_pattern"
      ? []
      : { ...rule, name: () => nameAt(name) },
  );
}

function constructorsOfInstance(node: Node): Node | undefined {
  const [data] = node.namedChildren.filter((child) => child.type !== "context");
  return data && fieldNode(data, "constructors");
}

/** Returns `f` of `f x = …`, `<+>` of `(<+>) :: …` and of `a <+> b = …`, `~>` of `type a ~> b = …`. */
function declaredName(node: Node): Name | undefined {
  const named = fieldNode(node, "name") ?? fieldNode(node, "names");
  if (named !== undefined) return plainName(named);
  const first = node.namedChildren.find((child) =>
    /^(?:infix|function_head_parens)$/.test(child.type),
  );
  return first && (first.type === "infix" ? nameOfConstructor(first) : declaredName(first));
}

function nameOfConstructor(node: Node | undefined): Name | undefined {
  return node && plainName(fieldNode(node, "name") ?? fieldNode(node, "operator"));
}

/** Returns `Head` of `Head x`, `:>` of `x :> y` and `Pair` of `Pair {left, right}`. */
function nameOfSynonym(synonym: Node | null | undefined): Name | undefined {
  let node = synonym;
  while (node?.type === "apply") node = node.childForFieldName("function");
  if (node?.type === "infix") return nameOfConstructor(node);
  return plainName(node?.type === "record" ? node.childForFieldName("constructor") : node);
}

/** Returns a name without parentheses and backquotes. */
function plainName(node: Node | null | undefined): Name | undefined {
  let name = node;
  while (name !== null && name !== undefined && AROUND_NAME.has(name.type))
    name = name.firstNamedChild;
  return nameAt(name);
}

function exportedNames(header: Node): AccessChange | undefined {
  const list = fieldNode(header, "exports");
  if (list === undefined) return undefined;
  const text = list.text.replace(/\{-[^]*?-\}|--.*/g, "");
  const own = fieldText(header, "module") ?? "";
  const modules = [...text.matchAll(/\bmodule\s+([\w.']+)/g)].map(([, module]) => module);
  if (modules.includes(own)) return { access: "exported" };
  const names = text.match(/[\p{L}_][\p{L}\p{N}_']*|(?<=\()[^\p{L}\p{N}\s(),.]+(?=\))/gu);
  return { access: "exported", names: new Set(names) };
}
