// Keys of data files as symbols: enough to navigate, but never a whole table.
import type { Node, Tree } from "web-tree-sitter";

/** A mapping with more keys is data, and its keys are not indexed. */
const MAX_KEYS = 100;
/** The same below the top level. */
const MAX_NESTED_KEYS = 50;
/** Maximum symbols per file. */
const MAX_SYMBOLS = 300;
/** In characters. A longer key is a sentence or an address. */
const MAX_KEY_LENGTH = 80;

const counts = new WeakMap<Tree, number>();

/**
 * Returns whether to index the key of a pair, by its level (1 is the top level) and its value. Counts the
 * accepted keys, so callers must call it once per pair.
 */
export function isIndexedKey(
  pair: Node,
  { level, leadsToKeys }: { level: number; leadsToKeys: boolean },
): boolean {
  if (level > 3 || (level === 3 && !leadsToKeys)) return false;
  const keys = pair.parent?.namedChildCount ?? 0;
  if (keys > (level === 1 ? MAX_KEYS : MAX_NESTED_KEYS)) return false;
  const count = counts.get(pair.tree) ?? 0;
  counts.set(pair.tree, count + 1);
  return count < MAX_SYMBOLS;
}

/** Returns the text of a key without quotes; undefined if it is not usable as a name. */
export function keyText(key: Node | null): string | undefined {
  const text = key?.text.replaceAll(/^["']|["']$/g, "") ?? "";
  return text === "" || text.length > MAX_KEY_LENGTH || text.includes("\n") ? undefined : text;
}
