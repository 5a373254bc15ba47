import type { Node } from "web-tree-sitter";

import { isIndexedKey, keyText } from "../indexed-keys.ts";
import {
  childOfType,
  fieldNode,
  nameWithin,
  type DefinitionRule,
  type LanguageRules,
} from "../definition-rules.ts";

/** The keys of the outermost level, which make the chunks, and those in them, which do not. */
export const yaml: LanguageRules = {
  definitions: { block_mapping_pair: pairRule },
  blocks: new Set(["document", "block_node", "block_mapping"]),
  attached: new Set(["comment"]),
  access: () => "exported",
  prepareText: withoutTemplates,
};

/**
 * What Go, Jinja and their like would fill in: lines of nothing else become blank, values become words. The
 * grammar finds no way back from either.
 */
function withoutTemplates(text: string): string {
  if (!text.includes("{{") && !text.includes("{%")) return text;
  return text
    .replaceAll(/^[ \t]*(?:\{\{.*\}\}|\{%.*%\})[ \t]*$/gm, (line) => " ".repeat(line.length))
    .replaceAll(/\{\{[^\n{}]*\}\}/g, (value) => "x".repeat(value.length));
}

function pairRule(pair: Node): DefinitionRule | undefined {
  const value = fieldNode(pair, "value");
  const mapping = value && childOfType(value, "block_mapping");
  const level = levelOf(pair);
  const isSymbol = isIndexedKey(pair, { level, leadsToKeys: mapping !== undefined });
  if (!isSymbol && level > 1) return undefined;
  const key = fieldNode(pair, "key");
  return {
    kind: "section",
    hasMembers: true,
    name: () => key && nameWithin(key, keyText(key)),
    body: () => (value?.type === "block_node" ? (mapping ?? value) : undefined),
    ...(mapping !== undefined && { fields: "body" }),
    ...(!isSymbol && { isSymbol }),
  };
}

/** 1 for the outermost level. What is in a list is below all that count. */
function levelOf(pair: Node): number {
  let level = 1;
  // A mapping, the node it is the value of, and the pair of that.
  let around = pair.parent?.parent?.parent ?? null;
  for (
    ;
    around !== null && around.type !== "document";
    around = around.parent?.parent?.parent ?? null
  ) {
    level += around.type === "block_mapping_pair" ? 1 : 3;
  }
  return level;
}
