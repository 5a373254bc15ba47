import type { Node } from "web-tree-sitter";

import {
  fieldName,
  fieldNode,
  fieldText,
  nameAt,
  type AccessChange,
  type DefinitionRule,
  type LanguageRules,
} from "../definition-rules.ts";

const FUNCTION: DefinitionRule = { kind: "function", body: (node) => fieldNode(node, "match") };
const TYPE: DefinitionRule = { kind: "type", body: () => undefined };
const CONSTANT: DefinitionRule = { kind: "constant", isInline: true, body: () => undefined };
const DATA: DefinitionRule = { ...TYPE, fields: (node) => fieldNode(node, "constructors") };
/** The name of `prefix` and `record` constructors is one level deeper. */
const CONSTRUCTOR: DefinitionRule = {
  ...CONSTANT,
  name: (node) =>
    fieldName(node, "name") ?? fieldName(fieldNode(node, "constructor") ?? node, "name"),
  fields: (node) => {
    const record = fieldNode(node, "constructor") ?? fieldNode(node, "field");
    if (record?.type !== "record") return undefined;
    return fieldNode(record, "fields") ?? record;
  },
};
/** Matches a list of exports: `module Name (a, B (..))`. */
const EXPORTS = /^module\s+[\w.']+\s*\(/m;
const declarations = (node: Node): Node | undefined => fieldNode(node, "declarations");

export const haskell: LanguageRules = {
  definitions: {
    // A signature and the equations of the same name are merged as clauses.
    signature: { kind: "function", body: () => undefined },
    function: FUNCTION,
    bind: FUNCTION,
    data_type: DATA,
    newtype: { ...TYPE, fields: (node) => node },
    data_constructor: CONSTRUCTOR,
    newtype_constructor: CONSTRUCTOR,
    gadt_constructor: CONSTRUCTOR,
    field: { ...CONSTANT, kind: "field", name: (node) => nameAt(fieldNode(node, "name")) },
    type_synomym: TYPE,
    type_family: TYPE,
    data_family: TYPE,
    class: { kind: "type", hasMembers: true, body: declarations },
    instance: {
      kind: "class",
      isSymbol: false,
      hasMembers: true,
      name: (node) => {
        const types = fieldText(node, "patterns") ?? "";
        return `${fieldText(node, "name") ?? ""} ${types}`.replace(/\s+/g, " ").trim();
      },
      body: declarations,
    },
  },
  blocks: new Set(["imports", "declarations", "class_declarations", "instance_declarations"]),
  additionalDefinitions: { field: additionalNames },
  attached: new Set(["comment", "haddock", "pragma"]),
  access: ({ parent, outer, section }) => (parent === undefined ? outer : (section ?? outer)),
  fileAccess: (_path, text) => (EXPORTS.test(text) ? "private" : "exported"),
  accessChanges: { header: exportedNames },
  hasClauses: true,
};

/** Returns rules for `b` of `{ a, b :: Int }`. */
function additionalNames(field: Node): readonly DefinitionRule[] {
  const [, ...names] = field.childrenForFieldName("name");
  return names.map((name) => ({ ...CONSTANT, kind: "field", name: () => nameAt(name) }));
}

function exportedNames(header: Node): AccessChange | undefined {
  const list = fieldNode(header, "exports");
  if (list === undefined) return undefined;
  const names = list.text.replace(/\{-[^]*?-\}|--.*/g, "").match(/[\p{L}_][\p{L}\p{N}_']*/gu);
  return { access: "exported", names: new Set(names) };
}
