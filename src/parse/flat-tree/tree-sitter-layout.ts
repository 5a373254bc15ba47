// The memory layout of tree-sitter 0.27 (subtree.h, tree.h, parser.h) with 32-bit addresses. Offsets are in
// bytes.

/** The symbol of text that could not be parsed. */
export const ERROR_SYMBOL = 0xffff;

/** `TSTree`: the root, then the language. */
export const TREE_LANGUAGE = 8;
/** `TSLanguage` */
export const LANGUAGE_FIELD_COUNT = 32;
export const LANGUAGE_ALIAS_LENGTH = 36;
export const LANGUAGE_FIELD_SLICES = 64;
export const LANGUAGE_FIELD_ENTRIES = 68;
export const LANGUAGE_PUBLIC_SYMBOLS = 76;
export const LANGUAGE_ALIASES = 84;

/**
 * `TSFieldMapEntry`: the field, the child's index, and whether the field is inherited from a hidden child.
 */
export const FIELD_BYTES = 4;
export const FIELD_CHILD = 2;
export const FIELD_INHERITED = 3;

/**
 * `Subtree`: eight bytes that are either a small leaf (`SubtreeInlineData`) or the address of a
 * `SubtreeHeapData`.
 */
export const SUBTREE_BYTES = 8;
export const IS_INLINE = 1;
/** `SubtreeHeapData`. The subtrees of its children precede it in memory. */
export const HEAP_PADDING = 4;
export const HEAP_SIZE = 16;
export const HEAP_CHILD_COUNT = 36;
export const HEAP_SYMBOL = 40;
export const HEAP_BITS = 44;
export const HEAP_VISIBLE_CHILDREN = 48;
export const HEAP_PRODUCTION = 66;
/** Flags of a subtree. In an inline subtree they follow `IS_INLINE`. */
export const IS_VISIBLE = 1;
export const IS_EXTRA = 4;
