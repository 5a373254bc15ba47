import type { Node } from "web-tree-sitter";

import { isIndexedKey, keyText } from "../indexed-keys.ts";
import {
  childOfType,
  fieldNode,
  nameWithin,
  type DefinitionRule,
  type LanguageRules,
} from "../definition-rules.ts";

/** Top-level keys become chunks and symbols, nested keys only symbols. */
export const yaml: LanguageRules = {
  definitions: { block_mapping_pair: pairRule },
  blocks: new Set(["document", "block_node", "block_mapping"]),
  attached: new Set(["comment"]),
  access: () => "exported",
  prepareText: withoutTemplates,
};

/**
 * Replaces template expressions of Go, Jinja and similar engines: lines with nothing else become blank,
 * values become words. The grammar cannot recover from either.
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

/** Returns the level of a pair, 1 for the top level. Pairs in lists get a level that is not indexed. */
function levelOf(pair: Node): number {
  let level = 1;
  // The parents of a pair: a mapping, the node whose value it is, and that node's pair.
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
