// Keys of data as definitions: enough of them to find one's way, and never a whole table.
import type { Node, Tree } from "web-tree-sitter";

/** A mapping with more keys than this is data: its keys are no names of anything. */
const MAX_KEYS = 100;
/** The same below the outermost level. */
const MAX_NESTED_KEYS = 50;
/** Of one file. */
const MAX_SYMBOLS = 300;
/** A longer key is a sentence or an address. */
const MAX_KEY_LENGTH = 80;

const counts = new WeakMap<Tree, number>();

/**
 * Whether the key of a pair is worth a symbol, by the level that it stands on (1 for the outermost) and by
 * what it leads to. Counts those it says yes to, so that it is to be asked once a pair.
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

/** The text of a key without quotes; undefined when it is no name. */
export function keyText(key: Node | null): string | undefined {
  const text = key?.text.replaceAll(/^["']|["']$/g, "") ?? "";
  return text === "" || text.length > MAX_KEY_LENGTH || text.includes("\n") ? undefined : text;
}
