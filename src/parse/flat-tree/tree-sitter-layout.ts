// Where tree-sitter keeps what in the parser's memory: subtree.h, tree.h and parser.h of its version 0.27, for
// addresses of 32 bits. Offsets are in bytes.

/** Symbol of what could not be parsed. */
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

/** `TSFieldMapEntry`: field, number of the child, and whether it is a field of a child of that. */
export const FIELD_BYTES = 4;
export const FIELD_CHILD = 2;
export const FIELD_INHERITED = 3;

/** `Subtree`: eight bytes, which are a small leaf as a whole (`SubtreeInlineData`) or the address of more. */
export const SUBTREE_BYTES = 8;
export const IS_INLINE = 1;
/** `SubtreeHeapData`, behind the subtrees of its children. */
export const HEAP_PADDING = 4;
export const HEAP_SIZE = 16;
export const HEAP_CHILD_COUNT = 36;
export const HEAP_SYMBOL = 40;
export const HEAP_BITS = 44;
export const HEAP_VISIBLE_CHILDREN = 48;
export const HEAP_PRODUCTION = 66;
/** Bits of a subtree: in one of eight bytes they stand behind `IS_INLINE`. */
export const IS_VISIBLE = 1;
export const IS_EXTRA = 4;
