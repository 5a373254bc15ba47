// The keys of a JSON or YAML document with their lines. They are read without a grammar, since descriptions of
// interfaces are often larger than the files that are parsed with one.

/** A key or an element of a list, with its content. */
export interface KeyNode {
  /** The index in a list, as a string. */
  readonly key: string;
  /** 1-based, as is `endLine`. */
  readonly line: number;
  endLine: number;
  /** The value, if it is a string or another word on the line of the key. */
  value: string | undefined;
  readonly children: KeyNode[];
}

/** Maximum keys that are read. */
export const MAX_KEY_NODES = 200_000;
/** A longer key or value is not read. */
export const MAX_KEY_CHARS = 300;

export function keyNode(key: string, line: number): KeyNode {
  return { key, line, endLine: line, value: undefined, children: [] };
}

/** Returns the first child with a key; undefined if there is none. */
export function childAt(
  node: KeyNode | undefined,
  ...keys: readonly string[]
): KeyNode | undefined {
  let found = node;
  for (const key of keys) found = found?.children.find((child) => child.key === key);
  return found;
}

/** Returns the short text at a key; undefined if there is none. */
export function textAt(node: KeyNode | undefined, key: string): string | undefined {
  const value = childAt(node, key)?.value;
  return value === "" ? undefined : value;
}
