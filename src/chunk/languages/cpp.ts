import { c, functionDeclarator, structureRule } from "./c.ts";
import { fieldNode, type LanguageRules } from "./language.ts";

export const cpp: LanguageRules = {
  ...c,
  definitions: {
    ...c.definitions,
    class_specifier: structureRule({ kind: "class", hasMembers: true }),
    struct_specifier: structureRule({ kind: "class", hasMembers: true }),
    union_specifier: structureRule({ kind: "class", hasMembers: true }),
    // Of the declarations in a class only those of methods are definitions.
    field_declaration: (node, parent) => {
      const declarator = fieldNode(node, "declarator");
      const isMethod = declarator !== undefined && functionDeclarator(declarator) !== undefined;
      const rule = c.definitions["declaration"];
      return isMethod && typeof rule === "function" ? rule(node, parent) : undefined;
    },
    alias_declaration: { kind: "type", body: (node) => fieldNode(node, "type") },
    concept_definition: { kind: "type" },
  },
  wrappers: new Set(["template_declaration"]),
  blocks: new Set([...(c.blocks ?? []), "namespace_definition", "export_declaration"]),
};
