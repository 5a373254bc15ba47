import { javascript, fieldRule } from "./javascript.ts";
import { fieldNode, literalText, type DefinitionRule, type LanguageRules } from "./language.ts";

const MODULE: DefinitionRule = {
  kind: "module",
  hasMembers: true,
  name: (node) => {
    const name = fieldNode(node, "name");
    return name && literalText(name);
  },
};

/** TypeScript and TSX: what JavaScript has, and the declarations that only exist for the compiler. */
export const typescript: LanguageRules = {
  ...javascript,
  definitions: {
    ...javascript.definitions,
    abstract_class_declaration: { kind: "class", hasMembers: true },
    interface_declaration: { kind: "type" },
    type_alias_declaration: { kind: "type", body: (node) => fieldNode(node, "value") },
    enum_declaration: { kind: "type" },
    function_signature: { kind: "function" },
    method_signature: (_node, parent) => (parent === "class" ? { kind: "method" } : undefined),
    abstract_method_signature: { kind: "method" },
    internal_module: MODULE,
    module: MODULE,
    public_field_definition: fieldRule,
  },
  wrappers: new Set(["export_statement", "ambient_declaration"]),
  hasClauses: true,
};
