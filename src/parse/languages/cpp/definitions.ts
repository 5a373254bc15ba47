import type { Node } from "web-tree-sitter";

import { c, cFieldRule, structureRule } from "../c/definitions.ts";
import { functionDeclarator, functionRule } from "../c/declarators.ts";
import {
  fieldNode,
  nameAt,
  nameWithin,
  splitQualified,
  type AccessLevel,
  type AccessChange,
  type DefinitionRule,
  type LanguageRules,
} from "../definition-rules.ts";

/** `struct Outer::Inner {…}` defines a member of `Outer`. */
const STRUCT: DefinitionRule = {
  kind: "class",
  hasMembers: true,
  name: (node) => nameWithin(fieldNode(node, "name"), qualifiedName(node).name),
  owner: (node) => qualifiedName(node).owner,
};
const SECTIONS: Readonly<Record<string, AccessLevel>> = {
  public: "exported",
  protected: "internal",
  private: "private",
};

export const cpp: LanguageRules = {
  ...c,
  definitions: {
    ...c.definitions,
    class_specifier: structureRule({ ...STRUCT, section: () => "private" }),
    struct_specifier: structureRule(STRUCT),
    union_specifier: structureRule(STRUCT),
    field_declaration: (node) => {
      const declarator = fieldNode(node, "declarator");
      const isMethod = declarator !== undefined && functionDeclarator(declarator) !== undefined;
      return isMethod ? functionRule(node) : cFieldRule(node);
    },
    alias_declaration: { kind: "type", body: (node) => fieldNode(node, "type") },
    concept_definition: { kind: "type" },
  },
  additionalDefinitions: { ...c.additionalDefinitions, namespace_definition: namespaceNames },
  inlineBlocks: { ...c.inlineBlocks, friend_declaration: (node) => node },
  wrappers: new Set(["template_declaration"]),
  blocks: new Set([...(c.blocks ?? []), "namespace_definition", "export_declaration"]),
  accessChanges: { access_specifier: section },
};

/** A namespace continues in many files, so its definitions are treated as top-level ones. */
function namespaceNames(node: Node): readonly DefinitionRule[] {
  const name = fieldNode(node, "name");
  if (name === undefined) return [];
  const names = name.type === "nested_namespace_specifier" ? name.namedChildren : [name];
  return names.map((each) => ({ kind: "module", name: () => nameAt(each) }));
}

function qualifiedName(node: Node): ReturnType<typeof splitQualified> {
  const name = fieldNode(node, "name");
  return name?.type === "qualified_identifier"
    ? splitQualified(name.text)
    : { name: name?.text ?? "", owner: undefined };
}

/** Handles `public:` and Qt's `public slots:`. */
function section(node: Node): AccessChange | undefined {
  const access = SECTIONS[/^\w*/.exec(node.text)?.[0] ?? ""];
  return access && { access };
}
