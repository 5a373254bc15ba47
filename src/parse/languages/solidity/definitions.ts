import {
  nameWithin,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
} from "../definition-rules.ts";

const CONTRACT: DefinitionRule = { kind: "class", hasMembers: true };
const CONSTANT: DefinitionRule = { kind: "constant", body: () => undefined };
const INLINE: DefinitionRule = { ...CONSTANT, isInline: true };
const LINE: DefinitionRule = { kind: "type", body: () => undefined };

export const solidity: LanguageRules = {
  definitions: {
    contract_declaration: CONTRACT,
    library_declaration: CONTRACT,
    interface_declaration: { kind: "type", hasMembers: true },
    struct_declaration: { kind: "class", fields: "body" },
    struct_member: { ...INLINE, kind: "field" },
    enum_declaration: { kind: "type", fields: "body" },
    enum_value: { ...INLINE, name: (node) => nameWithin(node, node.text) },
    event_definition: LINE,
    error_declaration: LINE,
    user_defined_type_definition: LINE,
    modifier_definition: { kind: "function" },
    function_definition: { kind: "function" },
    constructor_definition: { kind: "method", name: (node) => nameWithin(node, "constructor") },
    fallback_receive_definition: {
      kind: "method",
      name: (node) => nameWithin(node, node.text.startsWith("receive") ? "receive" : "fallback"),
    },
    state_variable_declaration: (node) =>
      /^[^=]*\bconstant\b/.test(node.text) ? INLINE : { ...INLINE, kind: "field" },
    constant_variable_declaration: CONSTANT,
  },
  attached: new Set(["comment"]),
  access: accessOf,
};

function accessOf({ type, parent, head }: AccessFacts): AccessLevel {
  // The visibility of a function follows its name.
  if (type !== "state_variable_declaration" || parent === undefined) return "exported";
  if (/\bpublic\b/.test(head)) return "exported";
  return /\bprivate\b/.test(head) ? "private" : "internal";
}
