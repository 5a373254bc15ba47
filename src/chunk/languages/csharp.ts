import {
  childOfType,
  fieldNode,
  fieldText,
  isOneLine,
  type DefinitionRule,
  type LanguageRules,
} from "./language.ts";

const CLASS: DefinitionRule = { kind: "class", hasMembers: true };
const TYPE: DefinitionRule = { kind: "type", hasMembers: true };
const METHOD: DefinitionRule = { kind: "method" };

export const csharp: LanguageRules = {
  definitions: {
    class_declaration: CLASS,
    struct_declaration: CLASS,
    record_declaration: CLASS,
    interface_declaration: TYPE,
    enum_declaration: { kind: "type" },
    delegate_declaration: { kind: "type" },
    method_declaration: METHOD,
    constructor_declaration: METHOD,
    destructor_declaration: { kind: "method", name: (node) => `~${fieldText(node, "name") ?? ""}` },
    operator_declaration: {
      kind: "method",
      name: (node) => `operator ${fieldText(node, "operator") ?? ""}`.trim(),
    },
    indexer_declaration: {
      kind: "method",
      name: () => "this[]",
      body: (node) => fieldNode(node, "accessors") ?? fieldNode(node, "value"),
    },
    property_declaration: (node) => {
      const rule: DefinitionRule = {
        kind: "constant",
        body: (property) => fieldNode(property, "accessors") ?? fieldNode(property, "value"),
      };
      return isOneLine(node) ? { ...rule, isInline: true } : rule;
    },
    field_declaration: { kind: "constant", isInline: true, name: (node) => variableName(node) },
    event_field_declaration: {
      kind: "constant",
      isInline: true,
      name: (node) => variableName(node),
    },
    local_function_statement: { kind: "function" },
  },
  blocks: new Set([
    "namespace_declaration",
    "file_scoped_namespace_declaration",
    "declaration_list",
    "preproc_if",
    "preproc_else",
    "preproc_elif",
    "global_statement",
  ]),
  attached: new Set(["comment"]),
};

function variableName(node: Parameters<typeof childOfType>[0]): string | undefined {
  const declaration = childOfType(node, "variable_declaration");
  const declarator = declaration && childOfType(declaration, "variable_declarator");
  return declarator && fieldText(declarator, "name");
}
