import type { Node } from "web-tree-sitter";

import { isIndexedKey, keyText } from "../indexed-keys.ts";
import {
  fieldNode,
  nameWithin,
  type DefinitionRule,
  type LanguageRules,
} from "../definition-rules.ts";

/** Indexes the keys of an object and of nested objects. They do not change the chunks. */
export const json: LanguageRules = {
  definitions: { pair: pairRule },
  blocks: new Set(["object"]),
  attached: new Set(["comment"]),
  access: () => "exported",
};

function pairRule(pair: Node): DefinitionRule | undefined {
  const value = fieldNode(pair, "value");
  const isObject = value?.type === "object";
  const level = levelOf(pair);
  // In a file with many documents, such as JSON Lines, each document has the same keys.
  if (level === undefined || !isIndexedKey(pair, { level, leadsToKeys: isObject })) {
    return undefined;
  }
  const key = fieldNode(pair, "key");
  return {
    kind: "section",
    isInline: true,
    hasMembers: true,
    name: () => key && nameWithin(key, keyText(key)),
    body: () => (isObject || value?.type === "array" ? value : undefined),
    ...(isObject && { fields: "body" }),
  };
}

/** Returns the level of a pair, 1 for the top level; undefined if the file has several top-level objects. */
function levelOf(pair: Node): number | undefined {
  let level = 1;
  let around = pair.parent?.parent ?? null;
  for (; around?.type === "pair"; around = around.parent?.parent ?? null) level += 1;
  if (around?.type !== "document") return undefined;
  return around.namedChildren.filter(({ type }) => type === "object").length > 1
    ? undefined
    : level;
}
