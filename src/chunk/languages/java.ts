import { childOfType, fieldText, type DefinitionRule, type LanguageRules } from "./language.ts";

const CLASS: DefinitionRule = { kind: "class", hasMembers: true };
const TYPE: DefinitionRule = { kind: "type", hasMembers: true };

export const java: LanguageRules = {
  definitions: {
    class_declaration: CLASS,
    record_declaration: CLASS,
    interface_declaration: TYPE,
    enum_declaration: TYPE,
    annotation_type_declaration: TYPE,
    method_declaration: { kind: "method" },
    constructor_declaration: { kind: "method" },
    compact_constructor_declaration: { kind: "method" },
    field_declaration: {
      kind: "constant",
      isInline: true,
      name: (node) => {
        const declarator = childOfType(node, "variable_declarator");
        return declarator && fieldText(declarator, "name");
      },
    },
  },
  blocks: new Set(["enum_body_declarations"]),
  attached: new Set(["line_comment", "block_comment"]),
};
