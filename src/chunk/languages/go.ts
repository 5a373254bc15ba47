import type { Node } from "web-tree-sitter";

import { fieldNode, type DefinitionRule, type LanguageRules } from "./language.ts";

const VALUE: DefinitionRule = { kind: "constant", body: (node) => fieldNode(node, "value") };

export const go: LanguageRules = {
  definitions: {
    function_declaration: { kind: "function" },
    method_declaration: { kind: "method", owner: receiverType },
    type_spec: (node) => {
      const type = fieldNode(node, "type");
      const members = type?.firstNamedChild ?? undefined;
      if (type?.type === "struct_type") return { kind: "class", body: () => members };
      // The name of an embedded interface is what the braces of an interface may begin with.
      return {
        kind: "type",
        body: type?.type === "interface_type" ? () => members : () => undefined,
      };
    },
    type_alias: { kind: "type" },
    const_spec: VALUE,
    var_spec: VALUE,
  },
  wrappers: new Set(["type_declaration"]),
  groups: new Set(["const_declaration", "var_declaration"]),
  blocks: new Set(["var_spec_list"]),
  attached: new Set(["comment"]),
};

/** `Tree` for the receivers `(t *Tree)`, `(Tree)` and `(t *Tree[K])`. */
function receiverType(method: Node): string | undefined {
  const receiver = fieldNode(method, "receiver")?.text ?? "";
  if (receiver.length > 300) return undefined;
  return /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^)]*\]\s*)?,?\s*\)$/u.exec(receiver)?.[1];
}
