import type { Node } from "web-tree-sitter";

import { fieldNode, fieldText, type DefinitionRule, type LanguageRules } from "./language.ts";

const FUNCTION: DefinitionRule = { kind: "function", body: (node) => fieldNode(node, "match") };
const TYPE: DefinitionRule = { kind: "type", body: () => undefined };
const declarations = (node: Node): Node | undefined => fieldNode(node, "declarations");

export const haskell: LanguageRules = {
  definitions: {
    // The signature and the equations of one name are joined as clauses.
    signature: { kind: "function", body: () => undefined },
    function: FUNCTION,
    bind: FUNCTION,
    data_type: TYPE,
    newtype: TYPE,
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
  attached: new Set(["comment", "haddock", "pragma"]),
  hasClauses: true,
};
