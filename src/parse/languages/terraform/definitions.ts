import type { Node } from "web-tree-sitter";

import {
  childOfType,
  literalText,
  nameAt,
  nameWithin,
  type DefinitionRule,
  type SymbolKind,
  type LanguageRules,
} from "../definition-rules.ts";

const KINDS: Readonly<Record<string, SymbolKind>> = {
  variable: "constant",
  output: "constant",
  module: "module",
  provider: "module",
  terraform: "module",
};
/** The prefix of a name when it is used. A resource has none but its type. */
const PREFIXES: Readonly<Record<string, string | undefined>> = {
  variable: "var",
  resource: undefined,
};
const ATTRIBUTE: DefinitionRule = {
  kind: "constant",
  isInline: true,
  name: (node) => nameAt(node.firstNamedChild),
};

const bodyOf = (block: Node): Node | undefined => childOfType(block, "body");

/**
 * Blocks are indexed by the names under which they are used: `var.region`, `aws_vpc.main`,
 * `data.aws_ami.linux`.
 */
export const terraform: LanguageRules = {
  definitions: { block: blockRule, attribute: ATTRIBUTE },
  blocks: new Set(["body"]),
  attached: new Set(["comment"]),
  access: () => "exported",
};

function blockRule(block: Node): DefinitionRule | undefined {
  const type = block.firstNamedChild?.text ?? "";
  if (type === "locals") {
    return {
      kind: "module",
      name: () => "local",
      isSymbol: false,
      body: bodyOf,
      hasMembers: true,
      fields: "body",
    };
  }
  const labels = block.namedChildren.filter((child) => child.type === "string_lit");
  const last = labels.at(-1);
  const rule = { kind: KINDS[type] ?? "class", body: bodyOf, doc: descriptionOf } as const;
  if (last === undefined) return { ...rule, name: () => nameAt(block.firstNamedChild) };
  const prefix = Object.hasOwn(PREFIXES, type) ? PREFIXES[type] : type;
  const owner = [prefix ?? [], ...labels.slice(0, -1).map(literalText)].flat().join(".");
  return { ...rule, name: () => nameWithin(last, literalText(last)), owner: () => owner };
}

function descriptionOf(block: Node): string | undefined {
  const description = bodyOf(block)?.namedChildren.find(
    (child) => child.type === "attribute" && child.firstNamedChild?.text === "description",
  );
  const text = description?.namedChild(1)?.text ?? "";
  return /^"[^"$]{2,200}"$/.test(text) ? text.slice(1, -1) : undefined;
}
